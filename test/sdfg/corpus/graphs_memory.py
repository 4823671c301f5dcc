# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs built by hand: views, references, copies, streams, structures, storage that is given."""

import dace
import numpy as np
from dace import InterstateEdge, Memlet
from dace.libraries.standard.nodes.reduce import Reduce

from .registry import add
from .shortforms import N, counted, elementwise, graph, single

LARGE, SMALL = {"N": 4000000}, {"N": 8}


def view_on_both_sides():
    """A view that a kernel reads in one state and a loop over single elements in another."""
    sdfg = graph("view_on_both_sides", A=[N, 4], B=4 * N, total=1)
    sdfg.add_view("flat", [4 * N], dace.float64)
    first = sdfg.add_state("first", is_start_block=True)
    flat = first.add_access("flat")
    first.add_edge(first.add_read("A"), None, flat, "views", Memlet("A[0:N, 0:4]"))
    elementwise(first, "b = a * 2", {"a": "flat[i]"}, {"b": "B[i]"}, {"flat": flat}, i="0:4*N")
    before, body, after = (sdfg.add_state(s) for s in ("before", "body", "after"))
    flat = body.add_access("flat")
    body.add_edge(body.add_read("A"), None, flat, "views", Memlet("A[0:N, 0:4]"))
    single(body, "t = s * 0.5 + a", {"s": "total[0]", "a": "flat[k]"}, {"t": "total[0]"}, {"flat": flat})
    sdfg.add_edge(first, before, InterstateEdge())
    sdfg.add_loop(before, body, after, "k", "0", "k < 4 * N", "k + 1")
    return sdfg


def view_on_both_sides_numpy(A, B, total):
    B[:] = 2 * A.ravel()
    for a in A.ravel():
        total[0] = total[0] / 2 + a


add(view_on_both_sides, view_on_both_sides_numpy, LARGE, SMALL)


def view_of_a_view():
    """A chain, registered backwards, through which a kernel reads; the host reads and writes the container itself."""
    sdfg = graph("view_of_a_view", B=[2, N])
    sdfg.add_view("rows", [2, N], dace.float64)
    sdfg.add_view("flat", [2 * N], dace.float64)
    sdfg.add_array("A", [N, 2], dace.float64)
    first, second = sdfg.add_state("first", is_start_block=True), sdfg.add_state("second")
    single(first, "b = a + 7", {"a": "A[0, 0]"}, {"b": "A[0, 0]"})
    flat, rows = second.add_access("flat"), second.add_access("rows")
    second.add_edge(second.add_read("A"), None, flat, "views", Memlet("A[0:N, 0:2]"))
    second.add_edge(flat, None, rows, "views", Memlet("flat[0:2*N]"))
    elementwise(second, "b = a * 2", {"a": "rows[i, j]"}, {"b": "B[i, j]"}, {"rows": rows}, i="0:2", j="0:N")
    sdfg.add_edge(first, second, InterstateEdge())
    return sdfg


def view_of_a_view_numpy(A, B):
    A[0, 0] += 7
    B[:] = 2 * A.reshape(B.shape)


add(view_of_a_view, view_of_a_view_numpy, LARGE, SMALL)


def view_of_one_element():
    """A view of length one stays a view."""
    sdfg = graph("view_of_one_element", A=N, B=N)
    sdfg.add_view("last", [1], dace.float64)
    state = sdfg.add_state()
    last = state.add_access("last")
    state.add_edge(state.add_read("A"), None, last, "views", Memlet("A[N - 1]"))
    elementwise(state, "b = a * l", {"a": "A[i]", "l": "last[0]"}, {"b": "B[i]"}, {"last": last}, i="0:N")
    return sdfg


def view_of_one_element_numpy(A, B):
    B[:] = A * A[-1]


add(view_of_one_element, view_of_one_element_numpy, LARGE, SMALL)


def reduction_reading_a_view():
    sdfg = graph("reduction_reading_a_view", A=[N, 4, 4], B=N)
    sdfg.add_view("flat", [N, 16], dace.float64)
    first, second = sdfg.add_state("first", is_start_block=True), sdfg.add_state("second")
    elementwise(first, "b = a * 2", {"a": "A[i, j, k]"}, {"b": "A[i, j, k]"}, i="0:N", j="0:4", k="0:4")
    flat = second.add_access("flat")
    second.add_edge(second.add_read("A"), None, flat, "views", Memlet("A[0:N, 0:4, 0:4]"))
    node = Reduce("sum", "lambda a, b: a + b", [1], 0)
    second.add_node(node)
    second.add_nedge(flat, node, Memlet("flat[0:N, 0:16]"))
    second.add_nedge(node, second.add_write("B"), Memlet("B[0:N]"))
    sdfg.add_edge(first, second, InterstateEdge())
    return sdfg


def reduction_reading_a_view_numpy(A, B):
    A *= 2
    B[:] = A.sum(axis=(1, 2))


add(reduction_reading_a_view, reduction_reading_a_view_numpy, LARGE, SMALL)


def reference_to_one_of_two():
    """Which array the reference names is known at run time only."""
    sdfg = graph("reference_to_one_of_two", A=N, B=N, C=N)
    sdfg.add_reference("chosen", [N], dace.float64)
    sdfg.add_symbol("f", dace.int64)
    start, left, right, use = (sdfg.add_state(s, is_start_block=s == "start") for s in ("start", "left", "right", "use"))
    for state, name in ((left, "A"), (right, "B")):
        state.add_edge(state.add_read(name), None, state.add_write("chosen"), "set", Memlet(f"{name}[0:N]"))
    elementwise(use, "c = x * 2", {"x": "chosen[i]"}, {"c": "C[i]"}, i="0:N")
    sdfg.add_edge(start, left, InterstateEdge("f > 0"))
    sdfg.add_edge(start, right, InterstateEdge("f <= 0"))
    sdfg.add_edge(left, use, InterstateEdge())
    sdfg.add_edge(right, use, InterstateEdge())
    return sdfg


def reference_to_one_of_two_numpy(A, B, C, f):
    C[:] = 2 * (A if f > 0 else B)


add(reference_to_one_of_two, reference_to_one_of_two_numpy, {**LARGE, "f": 0}, {**SMALL, "f": 0})


def copies_of_parts():
    """Copies between containers, of boxes at different places, between two kernels."""
    sdfg = graph("copies_of_parts", transients="held", A=[N, N], B=[N, N], held=[N, 4])
    first, middle, last = (sdfg.add_state(s, is_start_block=s == "first") for s in ("first", "middle", "last"))
    elementwise(first, "b = a * 2", {"a": "A[i, j]"}, {"b": "A[i, j]"}, i="0:N", j="0:N")
    held = middle.add_access("held")
    middle.add_nedge(middle.add_read("A"), held, Memlet("A[0:N, 1:5] -> [0:N, 0:4]"))
    middle.add_nedge(held, middle.add_write("B"), Memlet("held[0:N, 0:4] -> [0:N, N - 4:N]"))
    elementwise(last, "b = a + 1", {"a": "B[i, j]"}, {"b": "B[i, j]"}, i="0:N", j="0:N")
    sdfg.add_edge(first, middle, InterstateEdge())
    sdfg.add_edge(middle, last, InterstateEdge())
    return sdfg


def copies_of_parts_numpy(A, B):
    A *= 2
    B[:, -4:] = A[:, 1:5]
    B += 1


add(copies_of_parts, copies_of_parts_numpy, {"N": 8000}, {"N": 7})


def host_looks_at_a_part():
    """The host needs four elements of what kernels work on, every step."""
    sdfg = graph("host_looks_at_a_part", A=N, seen=4)
    sdfg.add_symbol("T", dace.int64)
    loop = counted(sdfg, "steps", "t", "T")
    work, look = loop.add_state("work", is_start_block=True), loop.add_state("look")
    elementwise(work, "b = a * 1.5", {"a": "A[i]"}, {"b": "A[i]"}, i="0:N")
    tasklet = look.add_tasklet(
        "look", {"a"}, {"s"}, "for (int k = 0; k < 4; ++k) s[k] = s[k] * 0.5 + a[k];", language=dace.Language.CPP, side_effects=True
    )
    tasklet.in_connectors["a"] = tasklet.out_connectors["s"] = dace.pointer(dace.float64)
    tasklet.add_in_connector("old")
    tasklet.in_connectors["old"] = dace.pointer(dace.float64)
    look.add_edge(look.add_read("A"), None, tasklet, "a", Memlet("A[0:4]"))
    look.add_edge(look.add_read("seen"), None, tasklet, "old", Memlet("seen[0:4]"))
    look.add_edge(tasklet, "s", look.add_write("seen"), None, Memlet("seen[0:4]"))
    loop.add_edge(work, look, InterstateEdge())
    return sdfg


def host_looks_at_a_part_numpy(A, seen, T):
    for _ in range(T):
        A *= 1.5
        seen[:] = seen / 2 + A[:4]


add(host_looks_at_a_part, host_looks_at_a_part_numpy, {**LARGE, "T": 100}, {**SMALL, "T": 3})


def filtered_through_a_stream():
    """Elements above a half are pushed to a stream, in any order."""
    sdfg = graph("filtered_through_a_stream", A=N, B=N)
    sdfg.add_array("count", [1], dace.int64)
    sdfg.add_stream("S", dace.float64, transient=True)
    state = sdfg.add_state()
    entry, exit_ = state.add_map("filter", {"i": "0:N"})
    code = "c = 0\nif a > 0.5:\n    s = a\n    c = 1"
    tasklet = state.add_tasklet("filter", {"a"}, {"s", "c"}, code)
    state.add_memlet_path(state.add_read("A"), entry, tasklet, dst_conn="a", memlet=Memlet("A[i]"))
    stream = state.add_access("S")
    state.add_memlet_path(tasklet, exit_, stream, src_conn="s", memlet=Memlet("S[0]", dynamic=True))
    sum_ = Memlet("count[0]", wcr="lambda x, y: x + y")
    state.add_memlet_path(tasklet, exit_, state.add_write("count"), src_conn="c", memlet=sum_)
    state.add_nedge(stream, state.add_write("B"), Memlet("B[0:N]", dynamic=True))
    return sdfg


def filtered_through_a_stream_numpy(A, B, count):
    kept = A[A > 0.5]
    B[: len(kept)] = kept
    count += len(kept)


add(filtered_through_a_stream, filtered_through_a_stream_numpy, LARGE, SMALL, unordered=True)


def consumed_stream():
    """A consume scope takes numbers from a stream and adds them up until it is empty."""
    sdfg = graph("consumed_stream", A=N, total=1)
    sdfg.add_stream("S", dace.float64, transient=True)
    first, second = sdfg.add_state("first", is_start_block=True), sdfg.add_state("second")
    entry, exit_ = first.add_map("push", {"i": "0:N"})
    push = first.add_tasklet("push", {"a"}, {"s"}, "s = a * 2")
    first.add_memlet_path(first.add_read("A"), entry, push, dst_conn="a", memlet=Memlet("A[i]"))
    first.add_memlet_path(push, exit_, first.add_write("S"), src_conn="s", memlet=Memlet("S[0]"))
    centry, cexit = second.add_consume("pop", ("p", "4"))
    pop = second.add_tasklet("pop", {"s"}, {"t"}, "t = s")
    second.add_edge(second.add_read("S"), None, centry, "IN_stream", Memlet("S[0]", dynamic=True))
    second.add_edge(centry, "OUT_stream", pop, "s", Memlet("S[0]", dynamic=True))
    sum_ = Memlet("total[0]", wcr="lambda x, y: x + y")
    second.add_memlet_path(pop, cexit, second.add_write("total"), src_conn="t", memlet=sum_)
    sdfg.add_edge(first, second, InterstateEdge())
    return sdfg


def consumed_stream_numpy(A, total):
    total += 2 * A.sum()


add(consumed_stream, consumed_stream_numpy, LARGE, SMALL)


def member_of_a_structure():
    """A sparse matrix as one structure; its members are reached through views."""
    rows = dace.data.Array(dace.int64, [N + 1])
    cols, vals = dace.data.Array(dace.int64, [2 * N]), dace.data.Array(dace.float64, [2 * N])
    matrix = dace.data.Structure({"rows": rows, "cols": cols, "vals": vals}, name="Compressed")
    sdfg = graph("member_of_a_structure", x=N, y=N)
    sdfg.add_datadesc("matrix", matrix)
    for name, member in matrix.members.items():
        sdfg.add_view(f"the_{name}", member.shape, member.dtype)
    state = sdfg.add_state()
    views = {name: state.add_access(f"the_{name}") for name in matrix.members}
    for name, view in views.items():
        state.add_edge(state.add_read("matrix"), None, view, "views", Memlet.from_array(f"matrix.{name}", matrix.members[name]))
    entry, exit_ = state.add_map("rows", {"i": "0:N"})
    code = "o = v[r] * w[c[r]] + v[r + 1] * w[c[r + 1]]"
    tasklet = state.add_tasklet("row", {"r", "c", "v", "w"}, {"o"}, code)
    state.add_memlet_path(views["rows"], entry, tasklet, dst_conn="r", memlet=Memlet("the_rows[i]"))
    state.add_memlet_path(views["cols"], entry, tasklet, dst_conn="c", memlet=Memlet("the_cols[0:2*N]"))
    state.add_memlet_path(views["vals"], entry, tasklet, dst_conn="v", memlet=Memlet("the_vals[0:2*N]"))
    state.add_memlet_path(state.add_read("x"), entry, tasklet, dst_conn="w", memlet=Memlet("x[0:N]"))
    state.add_memlet_path(tasklet, exit_, state.add_write("y"), src_conn="o", memlet=Memlet("y[i]"))
    return sdfg


def structure(s, rng):
    """The structure as ctypes has it; the arrays live as long as it does."""
    n = s["N"]
    arrays = {"rows": np.arange(n + 1) * 2, "cols": rng.integers(0, n, 2 * n), "vals": rng.uniform(0.1, 1, 2 * n)}
    desc = member_of_a_structure().arrays["matrix"]
    made = desc.dtype._typeclass.as_ctypes()(**{k: v.__array_interface__["data"][0] for k, v in arrays.items()})
    made.arrays = arrays
    return made


def member_of_a_structure_numpy(matrix, x, y):
    cols, vals = matrix.arrays["cols"], matrix.arrays["vals"]
    y[:] = (vals * x[cols]).reshape(-1, 2).sum(axis=1)


add(member_of_a_structure, member_of_a_structure_numpy, LARGE, SMALL, given={"matrix": structure})


def array_of_containers():
    """An array whose elements are arrays; one is chosen and viewed."""
    sdfg = graph("array_of_containers", y=N)
    many = dace.data.ContainerArray(dace.data.Array(dace.float64, [N]), [3])
    sdfg.add_datadesc("many", many)
    sdfg.add_datadesc_view("one", many.stype)
    state = sdfg.add_state()
    one = state.add_access("one")
    state.add_edge(state.add_read("many"), None, one, "views", Memlet("many[1]"))
    elementwise(state, "b = a * 2", {"a": "one[i]"}, {"b": "y[i]"}, {"one": one}, i="0:N")
    return sdfg


def pointers_to_arrays(s, rng):
    arrays = [rng.uniform(0.1, 1, s["N"]) for _ in range(3)]
    return Pointers(arrays)


class Pointers(np.ndarray):
    """Addresses of arrays, which it keeps alive."""

    def __new__(cls, arrays):
        made = np.empty(len(arrays), dtype=np.uint64).view(cls).copy()
        made[:] = [a.__array_interface__["data"][0] for a in arrays]
        made.arrays = arrays
        return made


def array_of_containers_numpy(many, y):
    y[:] = 2 * many.arrays[1]


add(array_of_containers, array_of_containers_numpy, LARGE, SMALL, given={"many": pointers_to_arrays})


def pinned_argument():
    """Pinned memory is the host's."""
    sdfg = graph("pinned_argument", B=N, total=1)
    sdfg.add_array("A", [N], dace.float64, storage=dace.StorageType.CPU_Pinned)
    state = sdfg.add_state()
    nodes = single(state, "t = a", {"a": "A[0]"}, {"t": "total[0]"})
    elementwise(state, "b = a * 2", {"a": "A[i]"}, {"b": "B[i]"}, {"A": nodes["A"]}, i="0:N")
    return sdfg


def pinned_argument_numpy(A, B, total):
    total[0] = A[0]
    B[:] = 2 * A


add(pinned_argument, pinned_argument_numpy, LARGE, SMALL, on_gpu=True)


def partly_on_the_device():
    """Its author put one kernel and one array on the device; the rest is free."""
    sdfg = graph("partly_on_the_device", A=N, B=N)
    sdfg.add_array("theirs", [N], dace.float64, storage=dace.StorageType.GPU_Global, transient=True)
    first, second, third = (sdfg.add_state(s, is_start_block=s == "first") for s in ("first", "second", "third"))
    first.add_nedge(first.add_read("A"), first.add_write("theirs"), Memlet("A[0:N]"))
    elementwise(second, "b = a * 2", {"a": "theirs[i]"}, {"b": "theirs[i]"}, i="0:N")
    for node in second.nodes():
        if isinstance(node, dace.nodes.MapEntry):
            node.schedule = dace.ScheduleType.GPU_Device
    third.add_nedge(third.add_read("theirs"), third.add_write("B"), Memlet("theirs[0:N]"))
    fourth = sdfg.add_state("fourth")
    elementwise(fourth, "b = a + 1", {"a": "B[i]"}, {"b": "B[i]"}, i="0:N")
    for before, after in ((first, second), (second, third), (third, fourth)):
        sdfg.add_edge(before, after, InterstateEdge())
    return sdfg


def partly_on_the_device_numpy(A, B):
    B[:] = 2 * A + 1


add(partly_on_the_device, partly_on_the_device_numpy, LARGE, SMALL, on_gpu=True)


def constant_table():
    """A table that the graph itself holds."""
    sdfg = graph("constant_table", A=N, B=N)
    sdfg.add_constant("weights", np.array([0.25, 0.5, 0.25]))
    state = sdfg.add_state()
    entry, exit_ = state.add_map("smooth", {"i": "1:N-1"})
    tasklet = state.add_tasklet("smooth", {"a"}, {"b"}, "b = weights[0] * a[0] + weights[1] * a[1] + weights[2] * a[2]")
    state.add_memlet_path(state.add_read("A"), entry, tasklet, dst_conn="a", memlet=Memlet("A[i - 1:i + 2]"))
    state.add_memlet_path(tasklet, exit_, state.add_write("B"), src_conn="b", memlet=Memlet("B[i]"))
    return sdfg


def constant_table_numpy(A, B):
    B[1:-1] = np.convolve(A, [0.25, 0.5, 0.25], "valid")


add(constant_table, constant_table_numpy, LARGE, SMALL)


def two_results_by_hand():
    """Two returned values, one of which the graph reads again."""
    sdfg = graph("two_results_by_hand", A=N, __return_0=N, __return_1=N)
    first, second = sdfg.add_state("first", is_start_block=True), sdfg.add_state("second")
    elementwise(first, "b = a + 1", {"a": "A[i]"}, {"b": "__return_0[i]"}, i="0:N")
    elementwise(second, "b = a * 2", {"a": "__return_0[i]"}, {"b": "__return_1[i]"}, i="0:N")
    sdfg.add_edge(first, second, InterstateEdge())
    return sdfg


def two_results_by_hand_numpy(A):
    return A + 1, 2 * A + 2


add(two_results_by_hand, two_results_by_hand_numpy, LARGE, SMALL)


def scalar_between_kernels():
    """A scalar of the graph's own: computed from an element, used by every thread of a kernel."""
    sdfg = graph("scalar_between_kernels", A=N)
    sdfg.add_scalar("top", dace.float64, transient=True)
    first, middle, last = (sdfg.add_state(s, is_start_block=s == "first") for s in ("first", "middle", "last"))
    elementwise(first, "b = a * 2", {"a": "A[i]"}, {"b": "A[i]"}, i="0:N")
    single(middle, "t = a + 1", {"a": "A[N - 1]"}, {"t": "top[0]"})
    elementwise(last, "b = a / t", {"a": "A[i]", "t": "top[0]"}, {"b": "A[i]"}, i="0:N")
    sdfg.add_edge(first, middle, InterstateEdge())
    sdfg.add_edge(middle, last, InterstateEdge())
    return sdfg


def scalar_between_kernels_numpy(A):
    A *= 2
    A /= A[-1] + 1


add(scalar_between_kernels, scalar_between_kernels_numpy, LARGE, SMALL)


def copies_between_containers():
    """Copies whose source is on one side and whose target is wanted on the other: of all, of a part, of one element, of a scalar."""
    sdfg = graph("copies_between_containers", transients="T U element", A=[N, 4], T=[N, 4], U=[N, 4], R=[N, 4], part=[N, 4], element=1, out=2)
    sdfg.add_scalar("scale", dace.float64)
    first, second = sdfg.add_state("first", is_start_block=True), sdfg.add_state("second")
    filled = first.add_access("T")
    first.add_nedge(first.add_read("A"), filled, Memlet("A[0:N, 0:4]"))
    elementwise(first, "u = t * 2", {"t": "T[i, j]"}, {"u": "U[i, j]"}, {"T": filled}, i="0:N", j="0:4")
    kept = second.add_read("U")
    second.add_nedge(kept, second.add_write("R"), Memlet("U[0:N, 0:4]"))
    second.add_nedge(kept, second.add_write("part"), Memlet(data="U", subset="0:2, 0:4", other_subset="1:3, 0:4"))
    one = second.add_access("element")
    second.add_nedge(kept, one, Memlet("U[3, 1]"))
    single(second, "o = e + s", {"e": "element[0]", "s": "scale[0]"}, {"o": "out[0]"}, {"element": one})
    second.add_nedge(second.add_read("scale"), second.add_write("out"), Memlet(data="scale", subset="0", other_subset="1"))
    sdfg.add_edge(first, second, InterstateEdge())
    return sdfg


def copies_between_containers_numpy(A, R, part, out, scale):
    R[:] = 2 * A
    part[1:3] = R[:2]
    out[:] = R[3, 1] + scale, scale


add(copies_between_containers, copies_between_containers_numpy, LARGE, SMALL)
