// The sample comparison: numbers made up, plots drawn from them in the colours of the page.
#include "sample_compare.hpp"

#include <array>
#include <cmath>
#include <cstdio>

namespace taut::viewer_test {

namespace {

std::string text(const char* format, double value) {
    std::array<char, 64> out;
    std::snprintf(out.data(), out.size(), format, value);
    return out.data();
}

std::string label(double x, double y, const std::string& anchor, const std::string& words) {
    return "<text x=\"" + text("%.1f", x) + "\" y=\"" + text("%.1f", y) + "\" text-anchor=\"" + anchor +
           "\" fill=\"currentColor\">" + words + "</text>";
}

const std::string opening =
    "<svg viewBox=\"0 0 480 260\" role=\"img\" font-family=\"system-ui, sans-serif\" font-size=\"12\">";

// A bar per method: its run time.
std::string bars() {
    std::string svg = opening + "<title>Run time</title>" +
                      "<text x=\"0\" y=\"16\" font-weight=\"600\" fill=\"currentColor\">Run time [s]</text>";
    double y = 40;
    int number = 0;
    for (const SampleMethod& method : sample_methods()) {
        svg += label(182, y + 20, "end", method.name.substr(0, method.name.find(' '))) +
               "<rect x=\"190\" y=\"" + text("%.0f", y + 4) + "\" height=\"24\" rx=\"3\" width=\"" +
               text("%.1f", 17 * method.run_time) + "\" fill=\"var(--run-" + std::to_string(++number) +
               ")\"/>" + label(198 + 17 * method.run_time, y + 20, "start", text("%.1f", method.run_time));
        y += 42;
    }
    return svg + "</svg>";
}

// A curve per method: its strain over time, with a clip path whose id other plots use too.
std::string curves() {
    std::string svg = opening +
                      "<title>Largest strain over time</title><defs><clipPath id=\"area\"><rect x=\"58\" "
                      "y=\"34\" width=\"414\" height=\"188\"/></clipPath></defs><text x=\"0\" y=\"16\" "
                      "font-weight=\"600\" fill=\"currentColor\">Largest strain over time</text>";
    const std::array<std::string, 5> decades = {"0.001 %", "0.01 %", "0.1 %", "1 %", "10 %"};
    for (int k = 0; k < 5; ++k) {
        const double y = 222 - 47 * k;
        svg += "<path d=\"M58 " + text("%.0f", y) + "H472\" stroke=\"var(--line)\"/>" +
               "<text x=\"50\" y=\"" + text("%.0f", y + 4) +
               "\" text-anchor=\"end\" font-size=\"11\" fill=\"var(--soft)\">" + decades[k] + "</text>";
    }
    svg += label(58, 242, "middle", "0 s") + label(265, 242, "middle", "1 s") +
           label(472, 242, "end", "2 s") + "<g clip-path=\"url(#area)\" fill=\"none\" stroke-width=\"1.8\">";
    int number = 0;
    for (const SampleMethod& method : sample_methods()) {
        std::string path;
        for (int k = 0; k <= 60 * method.length; ++k) {
            const double swing = 0.5 + 0.5 * std::sin(1.6 * 3.14159265 * method.pace * k / 30);
            const double decade = std::log10(1e-3 * method.stretch * swing + 1e-9);
            path += (k == 0 ? "M" : "L") + text("%.1f", 58 + 414 * k / 60.0) + " " +
                    text("%.1f", 222 - 47 * (decade + 5));
        }
        svg += "<path d=\"" + path + "\" stroke=\"var(--run-" + std::to_string(++number) + ")\"/>";
    }
    return svg + "</g></svg>";
}

}  // namespace

std::span<const SampleMethod> sample_methods() {
    static const std::array<SampleMethod, 5> methods = {{
        {"fast_projection", "certified 0.1 %", true, 0.97, 1, 1, 3.2},
        {"implicit_constraint_direction", "certified 0.1 %", true, 0.62, 0.94, 1, 7.9},
        {"shake", "certified 0.1 %", true, 0.31, 1.05, 1, 14.6},
        {"strain_limiting", "reached 3.2 %", false, 32, 0.85, 1, 2.1},
        {"springs <stiff> & </script>", "failed at t = 0.8 s: the linear solver did not converge", false, 60,
         0.7, 0.4, 5.4},
    }};
    return methods;
}

io::ComparePage sample_comparison() {
    io::ComparePage page;
    page.title = "sample <swing> & sway: five methods";
    page.subtitle = "2 s at 30 frames per second, tolerance 0.1 %";
    page.table = {{"method", "verdict", "largest strain", "run time", "time per step", "Newton iterations",
                   "linear iterations", "steps"}};
    for (const SampleMethod& method : sample_methods()) {
        const bool ended = method.length < 1;
        page.table.push_back({method.name, method.reached ? "certified" : "missed",
                              text("%.3g", 0.1 * method.stretch) + " %", text("%.1f", method.run_time) + " s",
                              text("%.1f", 8 * method.run_time) + " ms", ended ? "–" : "2.46",
                              ended ? "–" : text("%.1f", 4 * method.run_time),
                              text("%.0f", 122 * method.length)});
    }
    page.plots = {curves(), bars(), curves()};
    page.notes = {
        "All runs start from the same state and use the same forces, time step and obstacles; only the "
        "filter differs.",
        "Strains are those of warp and weft edges, over all steps, not only over the frames shown here."};
    return page;
}

}  // namespace taut::viewer_test
