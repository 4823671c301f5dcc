# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Places DaCe graphs on host and device: what runs where, what is kept where, and what is copied when.

`ferry.place(sdfg)` changes a live graph, `ferry.locations(sdfg)` reads one, and `ferry.dace` has both as DaCe knows them:
a pass, and a replacement of `SDFG.apply_gpu_transformations`.
"""

from importlib.metadata import version

from . import dace
from ._ferry import PlacementError
from .placing import place
from .sides import locations

__all__ = ["PlacementError", "dace", "locations", "place"]
__version__ = version("ferry")
