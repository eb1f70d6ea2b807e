"""Plants one fault at a time in a small source tree and expects check_layers to find it."""

import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import check_layers


class Tree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write("src/taut/base/vec.hpp", "#pragma once\nnamespace taut {}\n")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def findings(self, name, text):
        self.write(name, text)
        return check_layers.check_tree(self.root)

    def assert_good(self, name, text):
        self.assertEqual(self.findings(name, text), [])

    def assert_found(self, name, text, line, words):
        found = self.findings(name, text)
        self.assertEqual([(f.path, f.line, f.kind) for f in found], [(name, line, "error")])
        self.assertIn(words, found[0].text)


class Includes(Tree):
    def test_rooms_to_the_left_and_itself_are_allowed(self):
        self.assert_good("src/taut/forces/gravity.cpp",
                         '#include "taut/forces/gravity.hpp"\n#include <vector>\n'
                         '#include "taut/base/vec.hpp"\n#include "taut/model/model.hpp"\n')

    def test_every_rung_refuses_what_stands_to_its_right(self):
        rooms = [room for rung in check_layers.RUNGS for room in rung]
        for room in rooms:
            for other in rooms:
                problem = check_layers.include_error(Path(f"src/taut/{room}/a.cpp"), f"taut/{other}/b.hpp")
                allowed = room == other or check_layers.RUNG_OF[other] < check_layers.RUNG_OF[room]
                self.assertEqual(problem is None, allowed, f"{room} -> {other}")

    def test_right(self):
        self.assert_found("src/taut/mesh/grid.cpp", '#include <map>\n#include "taut/model/model.hpp"\n', 2,
                          "mesh includes model")

    def test_neighbour(self):
        self.assert_found("src/taut/filters/contact.cpp", '#include "taut/integrators/bdf2.hpp"\n', 1,
                          "neighbour")

    def test_angle_brackets_and_spaces_do_not_hide_an_include(self):
        self.assert_found("src/taut/base/a.cpp", "  #  include <taut/sim/simulation.hpp>\n", 1,
                          "base includes sim")

    def test_unknown_room(self):
        self.assert_found("src/taut/base/a.cpp", '#include "taut/extras/b.hpp"\n', 1, "no rung")

    def test_room_without_rung(self):
        self.assert_found("src/taut/extras/a.cpp", '#include "taut/base/vec.hpp"\n', 1, "no rung")

    def test_relative_path(self):
        self.assert_found("src/taut/base/a.cpp", '#include "../sim/simulation.hpp"\n', 1, "climbs")

    def test_path_not_from_taut(self):
        self.assert_found("src/taut/base/a.cpp", '#include "vec.hpp"\n', 1, "from taut/")

    def test_umbrella_is_for_users(self):
        umbrella = '#include "taut/base/vec.hpp"\n#include "taut/scene/scene.hpp"\n'
        self.assert_good("src/taut/taut.hpp", umbrella)
        self.assert_good("apps/cli/run.cpp", '#include "taut/taut.hpp"\n#include "text.hpp"\n')
        self.assert_found("src/taut/io/a.cpp", '#include "taut/taut.hpp"\n', 1, "users of the library")


class Quiet(Tree):
    def test_printing(self):
        for code in ('std::cout << 1;', 'std::cerr << "a";', 'printf("%d", 1);', 'std::printf("a");',
                     'fprintf(stderr, "a");', 'std::fputs("a", stdout);', 'fmt::print("a");',
                     'fmt::print(stderr, "a");', 'puts("a");'):
            with self.subTest(code):
                self.assert_found("src/taut/io/a.cpp", f"void f() {{ {code} }}\n", 1, "never prints")

    def test_iostream(self):
        self.assert_found("src/taut/io/a.cpp", "#include <iostream>\n", 1, "does not print")

    def test_leaving(self):
        for code in ("exit(1);", "std::exit(1);", "::exit (1);", "std::abort();", "_exit(2);"):
            with self.subTest(code):
                self.assert_found("src/taut/io/a.cpp", f"void f() {{ {code} }}\n", 1, "never exits")

    def test_lookalikes_are_good(self):
        self.assert_good("src/taut/io/a.cpp",
                         'void f() { std::snprintf(b, 3, "x"); fprintf(file, "x"); fmt::print(file, "x"); }\n'
                         '// never calls exit(1) or printf("x")\n/* std::cout\n std::cerr */\n'
                         'const char* s = "std::cout << exit(1)"; int on_exit(int); int n = 1\'000\'000;\n'
                         "char quote = '\"'; void g() { tunnel.exit(3); }\n"
                         'const char* raw = R"x(printf("a"))x";\n')

    def test_code_after_tricky_literals_is_still_seen(self):
        self.assert_found("src/taut/io/a.cpp", "int n = 1'000; char c = '\\''; char d = '\"';\nvoid f() { exit(1); }\n",
                          2, "never exits")

    def test_programs_may_print_and_exit(self):
        self.assert_good("apps/cli/main.cpp", "#include <iostream>\nint main() { std::cout << 1; std::exit(2); }\n")


class Names(Tree):
    def test_types(self):
        for code in ("class MeshManager {};", "struct IoHelper {};", "enum class KeyHandler { a };",
                     "struct StringUtils;"):
            with self.subTest(code):
                self.assert_found("src/taut/mesh/a.hpp", f"#pragma once\n{code}\n", 2, "says nothing")

    def test_namespace(self):
        self.assert_found("src/taut/mesh/a.hpp", "namespace taut::utils {}\n", 1, "says nothing")

    def test_file(self):
        for name in ("src/taut/mesh/utils.hpp", "src/taut/mesh/mesh_helper.cpp", "apps/cli/string_util.cpp"):
            with self.subTest(name):
                self.assert_found(name, "\n", 1, "file name")
                (self.root / name).unlink()

    def test_words_inside_words_are_good(self):
        self.assert_good("src/taut/mesh/futility.hpp", "struct Handlebar {};  // utils are refused\n")


class Text(Tree):
    def test_unfinished_business(self):
        for word in ("TO" + "DO", "FIX" + "ME"):
            with self.subTest(word):
                self.assert_found("tests/mesh/test_a.cpp", f"\n// {word}: later\n", 2, "unfinished")

    def test_size_is_a_warning_only(self):
        for name, lines in (("src/taut/mesh/a.hpp", 151), ("src/taut/mesh/b.cpp", 401)):
            found = self.findings(name, "\n" * (lines - 1))
            self.assertEqual(found, [])
            found = self.findings(name, "\n" * lines)
            self.assertEqual([f.kind for f in found], ["warning"])
            (self.root / name).unlink()

    def test_fetched_code_is_not_ours(self):
        self.assert_good("apps/viewer/node_modules/x/a.cpp", "// TO" "DO\n")


class Program(Tree):
    def run_main(self):
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()):
            return check_layers.main([str(self.root)]), out.getvalue()

    def test_exit_status(self):
        self.assertEqual(self.run_main()[0], 0)
        self.write("src/taut/mesh/long.hpp", "\n" * 200)
        self.assertEqual(self.run_main()[0], 0)
        self.write("src/taut/mesh/bad.cpp", '#include "taut/sim/simulation.hpp"\n')
        status, text = self.run_main()
        self.assertEqual(status, 1)
        self.assertIn("src/taut/mesh/bad.cpp:1: error: mesh includes sim", text)
        self.assertIn("1 errors, 1 warnings", text)

    def test_no_tree(self):
        self.root = self.root / "nowhere"
        self.assertEqual(self.run_main()[0], 2)


if __name__ == "__main__":
    unittest.main()
