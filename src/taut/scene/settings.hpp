// Settings: one parameter struct of any type together with its parameter list, so that readers,
// writers, tables and factories handle all components alike. Shared after reading, never changed.
#pragma once

#include <memory>

#include "taut/base/parameter.hpp"

namespace taut::scene {

class Settings {
public:
    Settings() = default;  // no parameters

    // A fresh struct with its defaults. describe() is found by argument-dependent lookup.
    template <class Params>
    static Settings make() {
        auto params = std::make_shared<Params>();
        Settings settings;
        describe(settings.list_, *params);
        settings.params_ = params;
        return settings;
    }

    // The struct; Params must be the type it was made with.
    template <class Params>
    const Params& get() const {
        return *static_cast<const Params*>(params_.get());
    }

    const ParamList& list() const { return list_; }

private:
    std::shared_ptr<void> params_;
    ParamList list_;
};

}  // namespace taut::scene
