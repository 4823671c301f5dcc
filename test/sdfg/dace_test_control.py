# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The loops of programs, found in the state machines that DaCe 1.0.2 makes of them."""

import subprocess
import unittest

import judge
from corpus import PROGRAMS

# Where DaCe's simplification keeps the loop's own names.
LOOPS = {
    "all_shortest_paths": ["k from 0, Max(0, N)"],
    "autocorrelation_solver": ["k from 1, Max(0, N - 1)", "i from 0, Max(0, k)", "i from 0, Max(0, k)"],
    "bodies": ["t from 0, Max(0, T)"],
    "checksum": ["i from 0, Max(0, N)", "k from 0, 8"],
    "cholesky": ["i from 1, Max(0, N - 1)", "j from 0, Max(0, i)"],
    "edge_filter": ["j from 1, Max(0, M - 1)", "j from M - 2, Max(0, M - 1)"],
    "every_second_from_behind": ["i from N - 1, Max(0, int_floor(N, 2))"],
    "first_negative": ["i from 0, at most Max(0, N)"],
    "gauss_seidel": ["t from 0, Max(0, T)", "i from 1, Max(0, N - 2)", "j from 1, Max(0, N - 2)"],
    "iterate_until_still": ["while"],
    "jacobi_plane": ["t from 1, Max(0, T - 1)"],
    "softmax": [],
}


class Loops(unittest.TestCase):
    def test_found_in_both_forms(self):
        for name, expected in LOOPS.items():
            for form in ("parsed", "simplified"):
                with self.subTest(name, form=form):
                    path = judge.file(PROGRAMS[name], form)
                    done = subprocess.run(["ferry-sdfg-test", "loops", path], capture_output=True, text=True, check=True)
                    self.assertEqual(sorted(line.split(": ", 1)[1] for line in done.stdout.splitlines()), sorted(expected))


if __name__ == "__main__":
    unittest.main()
