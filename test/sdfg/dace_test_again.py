# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every program of the corpus: placing it again changes nothing, also after DaCe has loaded, simplified and saved the result.

Of the simplified form; with FERRY_ALL of all.
"""

import tempfile
import unittest

import judge
import placing
from ahead import Ahead
from corpus import PROGRAMS

MODES = {"free": placing.place, "device": placing.placed_on_device}


def saved(sdfg, folder):
    sdfg.save(f"{folder}/saved.sdfg")
    return judge.load(f"{folder}/saved.sdfg")


def changes(key):
    """What was changed where nothing should be."""
    name, form, mode = key
    program, place = PROGRAMS[name], MODES[mode]
    with tempfile.TemporaryDirectory() as folder:
        placed = saved(place(judge.graph(program, form), program.stated), folder)
        found = []
        if place(placed, program.stated).hash_sdfg() != placed.hash_sdfg():
            found.append("placed")
        placed.simplify()
        simplified = saved(placed, folder)
        if place(simplified, program.stated).hash_sdfg() != simplified.hash_sdfg():
            found.append("placed and simplified")
        return found


class Again(unittest.TestCase):
    keys = [
        (name, form, mode)
        for name, form in judge.graphs()
        if not PROGRAMS[name].refusal(form)
        for mode in MODES
    ]
    ahead = Ahead(changes, keys)

    @classmethod
    def tearDownClass(cls):
        cls.ahead.close()


for each in Again.keys:
    setattr(Again, "test_" + "_".join(each), lambda self, key=each: self.assertEqual(self.ahead.result(key), []))

if __name__ == "__main__":
    unittest.main()
