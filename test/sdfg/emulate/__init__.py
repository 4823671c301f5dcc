# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs placed graphs without a GPU, and judges them, knowing DaCe but nothing of Ferry.

`check.violations` finds accesses from the wrong side, `rewrite.emulated` makes a graph that keeps both memories on the CPU
and counts what crosses, `build.build` lets DaCe make a program of it, `run.run` calls that, and `waits.unwaited` reads the CUDA code that DaCe
generates from the placed graph itself.
"""
