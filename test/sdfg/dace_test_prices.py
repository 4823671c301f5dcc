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


MOSTLY_ON_DEVICE = 30
"""So many programs, at the least, have most of their work on the device at the stated sizes, whatever else is asked for."""


def given(name, form):
    program = PROGRAMS[name]
    return gzip.decompress(judge.file(program, form).read_bytes()).decode(), dict(program.stated)


def moved(name):
    """The part of the host's time that the placed graph no longer takes there."""
    from ferry import _ferry

    text, sizes = given(name, PROGRAMS[name].forms[0])
    placed = _ferry.place(text, name, MACHINES[0], sizes, [], False)
    before, behind = (_ferry.price(each, name, MACHINES[0], sizes).host for each in (text, placed.text))
    return 1 - behind / before if before else 0


def differences(key):
    """Machines under which the graph's price is not the plan's bound, with both."""
    from ferry import _ferry

    name, form = key
    text, sizes = given(name, form)
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


class Work(unittest.TestCase):
    def test_most_of_it_is_on_the_device(self):
        names = [name for name, program in PROGRAMS.items() if not program.refusal(program.forms[0]) and not program.on_gpu]
        mostly = [name for name in names if moved(name) > 0.5]
        self.assertGreaterEqual(len(mostly), MOSTLY_ON_DEVICE, mostly)


for each in Priced.keys:
    setattr(Priced, "test_" + "_".join(each), lambda self, key=each: self.assertEqual(self.ahead.result(key), {}))

if __name__ == "__main__":
    unittest.main()
