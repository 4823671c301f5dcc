# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which files count as tests, and that one which nothing ran is found."""

import tempfile
import unittest
from pathlib import Path

import files


class TestFiles(unittest.TestCase):
    def setUp(self):
        self.holder = tempfile.TemporaryDirectory()
        self.addCleanup(self.holder.cleanup)
        self.root = Path(self.holder.name).resolve()

    def write(self, name: str, text: str = ""):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def found(self) -> set[str]:
        return {str(p.relative_to(self.root)) for p in files.test_files(self.root)}

    def test_by_name(self):
        for name in ("a/x_test.cpp", "a/x.mlir", "a/x.fut", "a/x.test", "a/test_x.py", "a/dace_test_x.py"):
            self.write(name)
        for name in ("a/helper.cpp", "a/helper.py", "a/CMakeLists.txt", "a/Inputs/x.fut", "fuzz/x_test.cpp", "lit.cfg.py"):
            self.write(name)
        self.assertEqual(self.found(), {"a/x_test.cpp", "a/x.mlir", "a/x.fut", "a/x.test", "a/test_x.py", "a/dace_test_x.py"})

    def test_by_what_is_in_it(self):
        self.write("odd_name.cpp", "#include <gtest/gtest.h>\nTEST_P(A, B) {}\n")
        self.write("helper.cpp", "// TEST( in a comment\nint f();\n")
        self.assertEqual(self.found(), {"odd_name.cpp"})


if __name__ == "__main__":
    unittest.main()
