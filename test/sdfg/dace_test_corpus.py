# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every program of the corpus: the simplified form in every run of the tests, all forms where FERRY_ALL is set."""

import unittest

import judge
from ahead import Ahead
from corpus import PROGRAMS


def unplaced(key):
    name, form = key
    return judge.unplaced(PROGRAMS[name], form)


class Unplaced(unittest.TestCase):
    """DaCe alone computes what NumPy does, or refuses the program with the error that the corpus states."""

    keys = judge.graphs()
    ahead = Ahead(unplaced, keys)

    @classmethod
    def tearDownClass(cls):
        cls.ahead.close()

    def judge(self, key):
        name, form = key
        error, refusal = self.ahead.result(key), PROGRAMS[name].refusal(form)
        if refusal:
            self.assertRegex(error, refusal)
        else:
            self.assertEqual(error, "")


def tests(case: type) -> None:
    """One method for each program and form."""
    for key in case.keys:
        setattr(case, f"test_{key[0]}_{key[1]}", lambda self, key=key: self.judge(key))


tests(Unplaced)

if __name__ == "__main__":
    unittest.main()
