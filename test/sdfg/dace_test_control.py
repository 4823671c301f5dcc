# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The loops of programs, found in the state machines that DaCe 1.0.2 makes of them."""

import subprocess
import unittest

import corpus

# Where DaCe's simplification keeps the loop's own names.
LOOPS = {
    "bodies": ["t from 0, Max(0, steps)"],
    "checksum": ["i from 0, Max(0, N)", "bit from 0, 8"],
    "cholesky": ["i from 0, Max(0, N)", "j from 0, Max(0, i)"],
    "common_subsequence": ["i from 0, Max(0, N)", "j from 0, Max(0, M)"],
    "elimination": [
        "k from 0, Max(0, N - 1)",
        "i from k + 1, Max(0, N - k - 1)",
        "k from N - 1, Max(0, N)",
        "j from k + 1, Max(0, N - k - 1)",
    ],
    "every_second": ["i from N - 1, Max(0, int_floor(N, 2))"],
    "first_negative": ["i from 0, at most Max(0, N)"],
    "gauss_seidel": ["t from 0, Max(0, steps)", "i from 1, Max(0, N - 2)", "j from 1, Max(0, N - 2)"],
    "jacobi": ["t from 1, Max(0, steps - 1)"],
    "shortest_paths": ["k from 0, Max(0, N)"],
    "softmax": [],
    "until_small": ["while"],
}


class Loops(unittest.TestCase):
    def test_found_in_both_forms(self):
        for name, expected in LOOPS.items():
            for form in ("parsed", "simplified"):
                with self.subTest(name, form=form):
                    path = corpus.folder() / f"{name}-{form}.sdfg"
                    done = subprocess.run(["ferry-sdfg-test", "loops", path], capture_output=True, text=True, check=True)
                    self.assertEqual(sorted(line.split(": ", 1)[1] for line in done.stdout.splitlines()), sorted(expected))


if __name__ == "__main__":
    unittest.main()
