# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every form of every program of the corpus: what the placed graph costs as it is written is what the plan's certificate says, on every machine.

The evaluator (src/sdfg/price) knows schedules, storage and memlets, not the plan; so a plan that counts on what the graph does not say, or
a graph that does more than the plan, has another price.
"""

import gzip
import unittest

import judge
from ahead import Ahead
from corpus import PROGRAMS

MACHINES = ("h200", "pcie4", "integrated")


def differences(key):
    """Machines under which the graph's price is not the plan's bound, with both."""
    from ferry import _ferry

    name, form = key
    program = PROGRAMS[name]
    text, sizes = gzip.decompress(judge.file(program, form).read_bytes()).decode(), dict(program.stated)
    result = {}
    for machine in MACHINES:
        placed = _ferry.place(text, name, machine, sizes, [], False)
        total = _ferry.price(placed.text, name, machine, sizes).total
        if abs(total - placed.bound) > 1e-9 * placed.bound:  # what doubles round
            result[machine] = (total, placed.bound)
    return result


class Priced(unittest.TestCase):
    keys = [(name, form) for name, form in judge.graphs(every=True) if not PROGRAMS[name].refusal(form)]
    ahead = Ahead(differences, keys)

    @classmethod
    def tearDownClass(cls):
        cls.ahead.close()


for each in Priced.keys:
    setattr(Priced, "test_" + "_".join(each), lambda self, key=each: self.assertEqual(self.ahead.result(key), {}))

if __name__ == "__main__":
    unittest.main()
