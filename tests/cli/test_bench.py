"""taut bench: workloads, comparisons, JSON, the motion gates."""

import json
import unittest

from program import BAD_INPUT, FAILED, ProgramTest
from test_run import REPORT_KEYS

CASE_KEYS = (
    "workload size dt filter solver seconds repeat integrator tolerance steps_per_second "
    "cost_per_vertex_newton_ns peak_memory_bytes"
).split()


class Bench(ProgramTest):
    def bench(self, *arguments, code=0):
        done = self.taut("bench", *arguments, "--json", "b.json", code=code)
        return done, json.loads((self.folder / "b.json").read_text())

    def test_every_workload(self):
        for workload in ("hang", "hang_taut", "hang_edge", "hang_corner", "drape", "drape_polygon", "chain"):
            _, runs = self.bench(workload, "--size", 9, "--steps", 3)
            self.assertEqual(len(runs), 1)
            for key in (*REPORT_KEYS, *CASE_KEYS):
                self.assertIn(key, runs[0])
            self.assertEqual((runs[0]["workload"], runs[0]["size"], runs[0]["repeat"]), (workload, 9, 0))
            self.assertEqual(runs[0]["vertices"], 10 if workload == "chain" else 81)
            self.assertEqual(runs[0]["steps"], 3)
        self.assertEqual(self.names(), ["b.json"])

    def test_options_reach_the_run(self):
        _, runs = self.bench("hang", "--size", 9, "--seconds", "0.1", "--strain", "1%", "--dt", "1/240", "--filter",
                             "stable_projection", "--solver", "ldlt", "--integrator", "implicit_euler", "--threads", 1)
        run = runs[0]
        self.assertEqual((run["filter"], run["solver"], run["integrator"]), ("stable_projection", "ldlt", "implicit_euler"))
        self.assertEqual((run["tolerance"], run["dt"], run["seconds"], run["threads"]), (0.01, 1 / 240, 0.1, 1))
        self.assertEqual(run["steps"], 24)

    def test_compare_alternates(self):
        done, runs = self.bench("hang", "--size", 11, "--seconds", "0.1", "--compare",
                                "stable_projection+yarn_cg,stable_projection+ldlt+strain=1%+dt=1/60,size=9")
        self.assertEqual([run["repeat"] for run in runs], [0, 0, 0, 1, 1, 1, 2, 2, 2])
        self.assertEqual([run["solver"] for run in runs[:3]], ["yarn_cg", "ldlt", "yarn_cg"])
        self.assertEqual([run["size"] for run in runs[3:6]], [11, 11, 9])
        self.assertEqual(runs[1]["tolerance"], 0.01)
        self.assertEqual(len({run["state_hash"] for run in runs[0::3]}), 1, "repeats give the same bits")
        self.assertIn("ratio", done.stdout)
        self.assertIn("medians of 3", done.stdout)

    def test_list_of_sizes(self):
        _, runs = self.bench("hang", "--size", "7,9", "--steps", 2, "--repeats", 1)
        self.assertEqual([run["size"] for run in runs], [7, 9])

    def test_motion_gates(self):
        _, runs = self.bench("hang", "--size", 11, "--seconds", "0.5", "--dt", "1/240", "--audit")
        audit = runs[0]["audit"]
        self.assertIsNone(audit["energy_error"], "judged after 2 s only")
        self.assertIs(audit["passed"], True)
        self.assertLess(audit["path_error"], 0.03)
        _, runs = self.bench("chain", "--size", 40, "--seconds", 4, "--audit")
        audit = runs[0]["audit"]
        self.assertAlmostEqual(audit["mode_omega"] / audit["mode_exact"], 1, delta=0.01)

    def test_damping_does_not_pass(self):
        """The reference is the workload as it stands, whatever --set makes of the run."""
        done, runs = self.bench("hang", "--size", 9, "--seconds", "0.5", "--audit",
                                "--set", "forces/velocity_damping/rate=5", "--dt", "1/60", code=FAILED)
        self.assertIs(runs[0]["audit"]["passed"], False)
        self.assertIn("NO", done.stdout)

    def test_a_run_that_is_not_certified_is_told(self):
        done, runs = self.bench("hang", "--size", 31, "--steps", 40, "--dt", "1/60", "--set", "run/max_halvings=0",
                                "--set", "run/stop_on_failure=false", "--set", "run/rounds=1",
                                "--set", "filters/stable_projection/max_iterations=1", "--strain", "0.001%", code=FAILED)
        self.assertIs(runs[0]["certified"], False)
        self.assertIn("NO", done.stdout)

    def test_refusals(self):
        for arguments in (["hagn"], ["hang", "--size", "none"], ["hang", "--dt", "fast"], ["hang", "--filter", "slow"], ["hang", "--filter", "contact"],
                          ["hang", "--compare", "stable_projection+nonsense"], ["hang", "--compare", "tol=1"],
                          ["hang", "--json", "no/such/folder/b.json"], ["hang", "--set", "run/x=1"],
                          ["hang", "--figures", "3"], ["goldenthal2007", "--figures", "3,2"],
                          ["ozgen_kallmann2011", "--figures", "wind,wend"],
                          ["baraff_witkin1998", "--figures", "grwoth"], ["house1996", "--figures", "fabricks"]):
            self.assertIn("taut: error:", self.taut("bench", *arguments, code=BAD_INPUT).stderr)
        self.assertEqual(self.names(), [])


if __name__ == "__main__":
    unittest.main()
