// The viewer's page as built into the program: what io::write_view_page asks for.
#pragma once

#include <string_view>

namespace taut::viewer {

std::string_view page_template();  // HTML with the marker io::view_page_marker where the run belongs

}  // namespace taut::viewer
