# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every program of the corpus, placed by `ferry place`: DaCe validates it, makes CUDA code of it, and it computes what NumPy does.

Every form is placed freely and with all maps pinned to the device. The numbers are those of the first form placed freely, and with FERRY_ALL
of all.
"""

import unittest

import judge
import placing
from ahead import Ahead
from corpus import PROGRAMS

MODES = {"free": placing.place, "device": placing.placed_on_device}


def verdict(key):
    name, form, mode = key
    program = PROGRAMS[name]
    numbers = judge.ALL or (mode == "free" and form == program.forms[0])
    return str(judge.judge(program, judge.graph(program, form), lambda sdfg: MODES[mode](sdfg, program.stated), numbers=numbers))


class Placed(unittest.TestCase):
    """Programs that DaCe itself refuses in this form are judged by dace_test_corpus.py."""

    keys = [(name, form, mode) for name, form in judge.graphs(every=True) if not PROGRAMS[name].refusal(form) for mode in MODES]
    ahead = Ahead(verdict, keys)

    @classmethod
    def tearDownClass(cls):
        cls.ahead.close()


for each in Placed.keys:
    setattr(Placed, "test_" + "_".join(each), lambda self, key=each: self.assertEqual(self.ahead.result(key), "right"))

if __name__ == "__main__":
    unittest.main()
