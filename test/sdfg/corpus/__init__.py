# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs and graphs that placement is tried on, a file a family; `PROGRAMS` holds them by name."""

from . import control, dense, factorisations, networks, recurrences, reductions, shapes, signals, sparse, stencils, tables
from . import graphs_control, graphs_memory, graphs_nested, graphs_scopes
from .registry import PROGRAMS, Program

__all__ = ["PROGRAMS", "Program"]
