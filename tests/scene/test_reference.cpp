// The generated scene reference is current and complete.
#include "taut/scene/reference.hpp"

#include <gtest/gtest.h>

#include "scene/scene_text.hpp"

namespace taut::scene {
namespace {

TEST(Reference, TheFileInDocsIsCurrent) {
    const std::string file = std::string(TAUT_SOURCE_DIR) + "/docs/scene_reference.md";
    EXPECT_EQ(read_text_file(file, file), scene_reference())
        << "write it again: taut info --markdown > docs/scene_reference.md";
}

TEST(Reference, NamesEveryComponentAndParameter) {
    const std::string text = scene_reference();
    for (const Entry& entry : registry()) {
        if (entry.optional) continue;
        EXPECT_NE(text.find("`" + entry.name + "`"), std::string::npos) << entry.name;
        const Settings settings = entry.settings();
        for (const Param& param : settings.list().entries()) {
            EXPECT_NE(text.find("| `" + param.name + "` |"), std::string::npos)
                << entry.name << " " << param.name;
        }
    }
}

TEST(Reference, TablesHaveAsManyCellsInEveryRow) {
    const std::string text = scene_reference();
    std::size_t begin = 0, columns = 0;
    while (begin < text.size()) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string line = text.substr(begin, end - begin);
        begin = end + 1;
        if (line.empty() || line[0] != '|') {
            columns = 0;
            continue;
        }
        std::size_t bars = 0;
        for (std::size_t i = 0; i < line.size(); ++i)
            bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\');
        if (columns == 0) columns = bars;
        EXPECT_EQ(bars, columns) << line;
    }
}

}  // namespace
}  // namespace taut::scene
