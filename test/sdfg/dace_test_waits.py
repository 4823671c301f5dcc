# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The harness itself: uses of what is still on its way to the host are found in generated code."""

import re
import unittest

from emulate import waits
from emulate.byhand import placed
from judge import quiet

COPY = "DACE_GPU_CHECK(cudaMemcpyAsync(A, gpu_A, N * sizeof(double), cudaMemcpyDeviceToHost, __state->gpu_context->streams[0]));"
WAIT = "DACE_GPU_CHECK(cudaStreamSynchronize(__state->gpu_context->streams[0]));"
OTHER = WAIT.replace("[0]", "[1]")
READ = "double t = A[0] + 1;"


def unwaited(*body, before=""):
    lines = "\n".join(body)
    return waits.unwaited(f"#include <x>\n{before}\nvoid __program_p_internal(p_t *__state, double * __restrict__ A, int N)\n{{\n{lines}\n}}")


class Waits(unittest.TestCase):
    def assert_found(self, *body, **options):
        self.assertEqual(len(unwaited(*body, **options)), 1, body)

    def assert_right(self, *body, **options):
        self.assertEqual(unwaited(*body, **options), [])

    def test_straight_line(self):
        self.assert_right(COPY, WAIT, READ)
        self.assert_found(COPY, READ, WAIT)
        self.assert_found(COPY, OTHER, READ, WAIT)
        self.assert_found(COPY)  # The caller reads it.
        self.assert_right(COPY, "DACE_GPU_CHECK(cudaDeviceSynchronize());", READ)
        self.assert_right(COPY.replace("DeviceToHost", "HostToDevice"), READ)

    def test_strided_copies(self):
        strided = "DACE_GPU_CHECK(cudaMemcpy2DAsync(A + 1, N * sizeof(double), gpu_A, 8, 8, N, cudaMemcpyDeviceToHost, __state->gpu_context->streams[0]));"
        self.assert_found(strided, READ, WAIT)
        self.assert_right(strided, WAIT, READ)

    def test_events(self):
        record = "DACE_GPU_CHECK(cudaEventRecord(__state->gpu_context->events[3], __state->gpu_context->streams[0]));"
        hold = "DACE_GPU_CHECK(cudaStreamWaitEvent(__state->gpu_context->streams[1], __state->gpu_context->events[3], 0));"
        wait = "DACE_GPU_CHECK(cudaEventSynchronize(__state->gpu_context->events[3]));"
        self.assert_right(COPY, record, wait, READ)
        self.assert_found(record, COPY, wait, READ, WAIT)
        self.assert_right(COPY, record, hold, OTHER, READ)
        self.assert_found(COPY, record, OTHER, READ, WAIT)

    def test_what_is_not_understood_is_said(self):
        for strange in (COPY.replace("Async", ""), COPY.replace("MemcpyAsync", "Memcpy3DAsync"), COPY.replace("cudaMemcpyDeviceToHost", "kind")):
            self.assertIn("is not understood", " ".join(unwaited(strange, WAIT)), strange)
        self.assertEqual(unwaited(WAIT, before=f"struct copies {{ copies() {{ {COPY} }} }};"), ["1 of 1 copies are in no function that is read"])
        self.assertEqual(len(unwaited(f"{{ std::function<void()> f([&] {{ {COPY} {COPY} }}); }}")), 1)

    def test_literals(self):
        for text in ('"// {"', r'"\" { //"', "'{'", "'\"'", r"'\''", '"/* A"'):
            self.assert_right(f"log({text});", COPY, WAIT, READ)
            self.assert_found(f"log({text});", COPY, READ, WAIT)
        self.assert_right(COPY, 'log("A");', WAIT, READ)

    def test_branches(self):
        self.assert_found("if (N > 3) {", COPY, "}", READ, WAIT)
        self.assert_found("if (N > 3) {", COPY, WAIT, "} else {", COPY, "}", READ, WAIT)
        self.assert_right("if (N > 3) {", COPY, WAIT, "} else {", COPY, WAIT, "}", READ)
        self.assert_found(COPY, "if (A[0] > 1) {", "N = 2;", "}", WAIT)
        self.assert_found(COPY, "if (N > 3) {", WAIT, "} else if (N > 2) {", READ, WAIT, "} else {", WAIT, "}")

    def test_loops(self):
        self.assert_found("for (i = 0; (i < N); i = i + 1) {", READ, COPY, "}", WAIT)
        self.assert_right("for (i = 0; (i < N); i = i + 1) {", READ, COPY, WAIT, "}")
        self.assert_found("while ((A[0] > 0)) {", COPY, "}", WAIT)
        self.assert_found("while (true) {", COPY, "if (N > 1) {", "break;", "}", WAIT, "}", READ, WAIT)
        self.assert_found("while (N > 1) {", READ, COPY, "if (N > 1) {", "continue;", "}", WAIT, "}", WAIT)

    def test_jumps(self):
        self.assert_found("if (N > 3) {", COPY, "goto later;", "}", "N = 1;", "later:;", READ, WAIT)
        self.assert_found("again:;", READ, COPY, "if (N > 3) {", "goto again;", "}", WAIT)
        self.assert_right("again:;", READ, COPY, WAIT, "if (N > 3) {", "goto again;", "}")
        self.assert_found(COPY, "if (N > 3) {", "return;", "}", WAIT)

    def test_functions(self):
        inner = f"inline void inner_0(p_t *__state, double * __restrict__ A, int N) {{ {COPY} }}"
        self.assert_found("inner_0(__state, &A[0], N);", READ, WAIT, before=inner)
        self.assert_right("inner_0(__state, &A[0], N);", WAIT, READ, before=inner)
        renamed = inner.replace("__ A", "__ B").replace("(A,", "(B,")
        self.assert_found("inner_0(__state, &A[0], N);", READ, WAIT, before=renamed)

    def test_other_names_of_the_target(self):
        alias = "double * view = &A[2];"
        self.assert_found(alias, COPY, "double t = view[0];", WAIT)
        self.assert_found("double *view;", "view = A + 2;", COPY, "double t = view[0];", WAIT)
        self.assert_found(alias, COPY.replace("(A,", "(view,"), READ, WAIT)

    def test_copy_back_to_the_device(self):
        again = COPY.replace("(A, gpu_A", "(gpu_B, A").replace("DeviceToHost", "HostToDevice")
        self.assert_right(COPY, again, WAIT)  # The stream keeps them in order.
        self.assert_found(COPY, again.replace("streams[0]", "streams[1]"), WAIT)

    def test_generated_code(self):
        code = quiet(waits.host_code, placed())
        self.assertIn("DeviceToHost", code)
        self.assertEqual(waits.unwaited(code), [])
        without = re.sub(r"(DeviceToHost.*?\n)(\s*DACE_GPU_CHECK\(cudaStreamSynchronize\(.*?\n)", r"\1", code)
        self.assertNotEqual(code, without)
        self.assertRegex(waits.unwaited(without)[0], "A is used before its copy has arrived")


if __name__ == "__main__":
    unittest.main()
