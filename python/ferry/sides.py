# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the containers of a graph are."""

from __future__ import annotations

import re

import dace
from dace import data
from dace.dtypes import StorageType

DEVICE = {StorageType.GPU_Global, StorageType.GPU_Shared}


def locations(sdfg: dace.SDFG) -> dict[str, str]:
    """For each container "host", "device", or "both": on the host and with a twin on the device, which is not listed itself."""
    twins = twins_of(sdfg)
    found = {}
    for name, desc in sdfg.arrays.items():
        if name not in twins:
            found[name] = "device" if desc.storage in DEVICE else "both" if name in twins.values() else "host"
    return found


def twins_of(sdfg: dace.SDFG) -> dict[str, str]:
    """The device's copies of containers, by the names that Ferry and DaCe itself give them: a transient gpu_NAME like NAME;
    `__return` begins with what DaCe keeps for itself, so that its twin is gpu_return."""
    twins = {}
    for name, desc in sdfg.arrays.items():
        called = re.fullmatch(r"gpu_(.+?)(_\d+)?", name)
        if called and desc.transient and desc.storage in DEVICE:
            for origin in (name[4:], f"__{name[4:]}", called[1], f"__{called[1]}"):
                if origin in sdfg.arrays and alike(desc, sdfg.arrays[origin]):
                    twins[name] = origin
                    break
    return twins


def alike(twin: data.Data, origin: data.Data) -> bool:
    return origin.storage not in DEVICE and (twin.dtype, twin.shape) == (origin.dtype, origin.shape)
