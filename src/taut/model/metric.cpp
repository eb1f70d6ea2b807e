#include "taut/base/parallel.hpp"
#include "taut/model/interfaces.hpp"

namespace taut {

void Metric::apply(ConstPoints x, PointsView y) const {
    parallel_for(x.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) y[i] = diagonal[i] * x[i];
    });
    if (stiffness && !stiffness->empty() && scale != 0) stiffness->add_product(scale, x, y);
}

}  // namespace taut
