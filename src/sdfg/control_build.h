// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/control.h"

namespace ferry::sdfg {

/// Internal: makes the points and edges of a control flow, without analysing them.
class FlowBuilder {
public:
  explicit FlowBuilder(ControlFlow &flow) : flow(flow) {}
  placement::Result<void> program(const Sdfg &sdfg);

private:
  /// The points by which a block is entered and left; it is not left behind a jump.
  struct Ends {
    PointId in = kNone, out = kNone;
  };
  /// Where a graph is entered from and where it ends; and the region or branch that it is.
  struct Span {
    PointId before, end;
    const Block *block;
    std::uint32_t branch;
  };
  struct Targets {
    PointId returns, breaks, continues;
  };

  PointId point(FlowKind kind, const Block *block);
  /// The reference is good until the next edge.
  FlowEdge &edge(PointId from, PointId to, Site site, const Block *block);
  placement::Result<void> graph(const ControlGraph &of, const Span &span, const Targets &targets);
  void leave(const Block &block, PointId from, const std::vector<const InterstateEdge *> &leaving,
             const std::vector<Ends> &ends, PointId end);
  static bool complementary(const std::vector<Expr> &conditions);
  placement::Result<Ends> block(const Block &of, const Targets &targets);
  placement::Result<Ends> plainRegion(const Block &of, const Region &region, const Targets &targets);
  placement::Result<Ends> loop(const Block &of, const Region &region, const Targets &targets);
  placement::Result<Ends> branches(const Block &of, const Conditional &conditional, const Targets &targets);

  ControlFlow &flow;
};

/// Internal: a condition or value as an expression; unknown if it is none, 1 if it is empty.
Expr expressionOf(const Code &code);
/// Internal: the assignments of a loop's init or update statement; `i //= 2` assigns `i // (2)`. What assigns to no
/// symbol is left out: a control flow with such a loop is an error.
std::vector<Assignment> statements(const std::optional<Code> &code);
/// Internal: recognises counted loops (control_counts.cpp).
void countLoops(ControlFlow &flow);

} // namespace ferry::sdfg
