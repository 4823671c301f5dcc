# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How lit runs the .mlir, .fut and .test files below test/: by the RUN lines in them, with the tools of this build.

A folder named Inputs holds what tests read, and fuzz/ what ./dev fuzz reads; nothing in them is a test.
"""

import os
import sys

import lit.formats

config.name = "ferry"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".fut", ".test"]
config.excludes = ["Inputs", "fuzz"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.ferry_build, "test", "lit")

# The build's programs first, then LLVM 22's FileCheck, not, mlir-opt under their plain names.
config.environment["PATH"] = os.pathsep.join(
    [config.ferry_build, "/usr/lib/llvm-22/bin", config.environment.get("PATH", "")]
)
config.environment["FERRY_CACHE"] = os.path.join(config.ferry_build, "test", "cache")
for name in ("VIRTUAL_ENV", "CUDA_HOME", "OMP_NUM_THREADS", "ASAN_OPTIONS", "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

config.substitutions += [
    ("%build", config.ferry_build),
    ("%plugin", os.path.join(config.ferry_build, "lib", "FerryPlugin.so")),
    ("%examples", os.path.join(config.ferry_source, "examples")),
    ("%python", os.environ.get("FERRY_PYTHON", sys.executable)),
]
