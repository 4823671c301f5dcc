# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Placed graphs have the same bytes whatever order Python's sets have."""

import hashlib
import os
import subprocess
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import judge
from corpus import PROGRAMS

SEEDS = 20
NAMES = ("jacobi_plane", "nested_functions", "compressed_rows_product", "view_on_both_sides", "copies_between_containers", "branch_in_a_loop")

PLACE = """
import sys
sys.path.insert(0, sys.argv[1])
import dace_test_seeds
print(dace_test_seeds.placed(sys.argv[2:]))
"""


def placed(names) -> str:
    """A digest of the graphs as DaCe saves them behind `ferry.place`."""
    import dace

    import ferry

    digest = hashlib.sha256()
    for name in names:
        sdfg = judge.graph(PROGRAMS[name], "simplified")
        ferry.place(sdfg, machine="h200", assume=dict(PROGRAMS[name].stated))
        digest.update(dace.serialize.dumps(sdfg.to_json()).encode())
    return digest.hexdigest()


class Seeds(unittest.TestCase):
    def test_bytes_do_not_depend_on_hash_seeds(self):
        for name in NAMES:
            judge.file(PROGRAMS[name], "simplified")  # made once: DaCe's own front end depends on them

        def digest(seed):
            command = [sys.executable, "-W", "ignore", "-c", PLACE, str(Path(__file__).parent), *NAMES]
            done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"PYTHONHASHSEED": str(seed)}, timeout=300)
            self.assertEqual(done.returncode, 0, done.stderr)
            return done.stdout.splitlines()[-1]

        with ThreadPoolExecutor(int(os.environ.get("JOBS") or os.cpu_count() or 1)) as pool:
            self.assertEqual(len(set(pool.map(digest, range(SEEDS)))), 1)


if __name__ == "__main__":
    unittest.main()
