"""Runs tools/setup in front of stand-ins for apt-get and friends; nothing is installed."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

SETUP = Path(__file__).resolve().parents[2] / "tools" / "setup"
PLAIN_TOOLS = ("env", "bash", "sed", "sort", "head", "tail", "tr", "mktemp", "rm", "cat")


class Setup(unittest.TestCase):
    """A PATH of its own with plain tools, current compilers, and a package list of our making."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.bin = Path(folder.name) / "bin"
        self.bin.mkdir()
        self.calls = Path(folder.name) / "calls"
        for tool in PLAIN_TOOLS:
            os.symlink(shutil.which(tool), self.bin / tool)
        self.tool("cmake", 'echo "cmake version 3.25.1"')
        self.tool("g++", "echo 12.2.0")
        self.tool("node", "echo v18.20.4")
        for name in ("ninja", "ccache", "npm"):
            self.tool(name, "true")
        self.tool("id", "echo 0")
        self.tool("dpkg-query", "echo installed")
        self.tool("apt-get", f'echo "$*" >> {self.calls}')

    def tool(self, name, body):
        path = self.bin / name
        path.write_text(f"#!{self.bin}/bash\n{body}\n")
        path.chmod(0o755)

    def run_setup(self, *arguments):
        return subprocess.run([SETUP, *arguments], env={"PATH": str(self.bin), "TMPDIR": str(self.bin.parent)},
                              capture_output=True, text=True, timeout=60)

    def installs(self):
        return [c for c in self.calls.read_text().splitlines() if " install " in c] if self.calls.exists() else []

    def test_nothing_missing_touches_nothing(self):
        done = self.run_setup("demo")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        self.assertFalse(self.calls.exists())

    def test_installs_only_what_is_missing(self):
        self.tool("dpkg-query", 'case "$*" in *libpng-dev*) exit 1 ;; *) echo installed ;; esac')
        done = self.run_setup("demo")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([c.split("--no-install-recommends ")[1] for c in self.installs()], ["libpng-dev"])

    def test_removed_package_with_settings_left_counts_as_missing(self):
        self.tool("dpkg-query", 'case "$*" in *libpng-dev*) echo config-files ;; *) echo installed ;; esac')
        self.run_setup("demo")
        self.assertEqual(len(self.installs()), 1)

    def test_tool_from_another_source_is_left_alone(self):
        self.tool("dpkg-query", 'case "$*" in *npm*|*nodejs*) exit 1 ;; *) echo installed ;; esac')
        done = self.run_setup("demo")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.installs(), [])

    def test_no_root_and_no_sudo_names_the_command(self):
        self.tool("id", "echo 1000")
        self.tool("dpkg-query", "exit 1")
        done = self.run_setup("demo")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no sudo; as root run: apt-get install ca-certificates libeigen3-dev", done.stderr)
        self.assertFalse(self.calls.exists())

    def test_sudo_is_used_where_needed(self):
        self.tool("id", "echo 1000")
        self.tool("dpkg-query", 'case "$*" in *libpng-dev*) exit 1 ;; *) echo installed ;; esac')
        self.tool("sudo", f'echo "sudo $*" >> {self.calls}; "$@"')
        self.assertEqual(self.run_setup("demo").returncode, 0)
        self.assertIn("sudo env DEBIAN_FRONTEND=noninteractive apt-get", self.calls.read_text())

    def test_failing_apt_fails_and_shows_why(self):
        self.tool("dpkg-query", "exit 1")
        self.tool("apt-get", "echo 'mirror is down' >&2; exit 100")
        done = self.run_setup("test")
        self.assertEqual(done.returncode, 1)
        self.assertIn("mirror is down", done.stderr)

    def test_old_tool_is_named(self):
        self.tool("node", "echo v16.3.0")
        done = self.run_setup("demo")
        self.assertEqual(done.returncode, 1)
        self.assertIn("node 16.3.0 is too old, at least 18", done.stderr)

    def test_other_distribution_lists_the_packages_and_goes_on(self):
        (self.bin / "apt-get").unlink()
        (self.bin / "dpkg-query").unlink()
        done = self.run_setup("demo")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("no apt-get here; the build needs", done.stdout)
        (self.bin / "cmake").unlink()
        done = self.run_setup("demo")
        self.assertEqual(done.returncode, 1)
        self.assertIn("cmake is missing", done.stderr)

    def test_unknown_profile(self):
        self.assertEqual(self.run_setup("everything").returncode, 2)


if __name__ == "__main__":
    unittest.main()
