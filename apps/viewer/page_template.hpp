// The viewer's pages as built into the program: HTML with the marker io::view_page_marker where the
// runs belong.
#pragma once

#include <string_view>

namespace taut::viewer {

std::string_view page_template();     // one run, for io::write_view_page
std::string_view compare_template();  // several runs side by side, for io::write_compare_page

}  // namespace taut::viewer
