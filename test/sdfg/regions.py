# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random graphs of regions: loops with breaks and continues, branches with and without an else, early returns."""

from __future__ import annotations

import random

import dace
from dace import SDFG, InterstateEdge, Memlet
from dace.properties import CodeBlock
from dace.sdfg.state import BreakBlock, ConditionalBlock, ContinueBlock, ControlFlowRegion, LoopRegion, ReturnBlock

from corpus.shortforms import N, graph, single

CONDITIONS = ("f > 0", "f > 2", "D[0] > 0.5", "A[1] > 0.6", "B[2] > 0.7", "not (C[0] > 0.4)")
DEPTH = 3


class Regions:
    """A graph of a seed, over the arrays A, B and C of N elements, the table D and the symbol f; `pins` are sides of its work."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.count = 0
        self.pins: dict[str, str] = {}
        self.sdfg: SDFG = graph(f"regions_{seed}", A=N, B=N, C=N, D=4)
        self.sdfg.using_experimental_blocks = True
        self.sdfg.add_symbol("f", dace.int64)
        self.fill(self.sdfg, DEPTH, (), self.random.randint(2, 4))

    def name(self, kind: str) -> str:
        self.count += 1
        return f"{kind}{self.count}"

    def fill(self, region, depth: int, jumps: tuple, blocks: int) -> None:
        before = None
        for _ in range(blocks):
            block = self.block(region, depth, jumps, before is None)
            if before is not None:
                region.add_edge(before, block, InterstateEdge())
            before = block

    def block(self, region, depth: int, jumps: tuple, is_start: bool):
        kind = self.random.random()
        if depth == 0 or kind < 0.45:
            return self.work(region.add_state(self.name("state"), is_start_block=is_start))
        if kind < 0.72:
            return self.branches(region, depth, jumps, is_start)
        return self.loop(region, depth, is_start)

    def branches(self, region, depth: int, jumps: tuple, is_start: bool):
        block = ConditionalBlock(self.name("if"))
        region.add_node(block, is_start_block=is_start)
        for condition in self.random.sample(CONDITIONS, self.random.randint(1, 2)):
            arm = self.arm(block, CodeBlock(condition))
            if self.random.random() < (0.45 if jumps else 0.15):
                self.leave(arm, jumps)
            else:
                self.fill(arm, depth - 1, jumps, self.random.randint(1, 2))
        if self.random.random() < 0.3:
            self.fill(self.arm(block, None), depth - 1, jumps, 1)
        return block

    def arm(self, block: ConditionalBlock, condition: CodeBlock | None) -> ControlFlowRegion:
        arm = ControlFlowRegion(self.name("arm"), sdfg=self.sdfg)
        block.add_branch(condition, arm)
        return arm

    def leave(self, arm: ControlFlowRegion, jumps: tuple) -> None:
        """A jump, at times behind some work."""
        jump = self.random.choice([*jumps * 3, ReturnBlock])(self.name("jump"))
        works = self.random.random() < 0.5
        arm.add_node(jump, is_start_block=not works)
        if works:
            arm.add_edge(self.work(arm.add_state(self.name("state"), is_start_block=True)), jump, InterstateEdge())

    def loop(self, region, depth: int, is_start: bool) -> LoopRegion:
        variable, inverted = self.name("i"), self.random.random() < 0.35
        self.sdfg.add_symbol(variable, dace.int64)
        loop = LoopRegion(
            self.name("loop"),
            f"{variable} < {self.random.randint(1, 4)}",
            variable,
            f"{variable} = 0",
            f"{variable} = {variable} + 1",
            sdfg=self.sdfg,
            inverted=inverted,
            update_before_condition=not inverted or self.random.random() < 0.5,
        )
        region.add_node(loop, is_start_block=is_start)
        # DaCe 1.0.2 continues a loop that ends with its condition without asking that.
        self.fill(loop, depth - 1, (BreakBlock,) if inverted else (BreakBlock, ContinueBlock), self.random.randint(1, 3))
        return loop

    def work(self, state):
        read, written = self.random.choice("ABC"), self.random.choice("ABC")
        label = self.name("work")
        if self.random.random() < 0.65:
            reads, writes = {"x": Memlet(f"{read}[i]")}, {"y": Memlet(f"{written}[i]")}
            state.add_mapped_tasklet(label, {"i": "0:N"}, reads, "y = x * 0.9 + 0.05", writes, external_edges=True)
        else:
            single(state, "y = x * 0.8 + 0.1", {"x": f"{read}[1]"}, {"y": f"{written}[2]"}, label=label)
        self.pins[label] = self.pins[f"{label}_map"] = self.random.choice(("device", "device", "host"))
        return state
