// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/place/pins.h"

#include "sdfg/dataflow.h"

namespace ferry::sdfg {

using placement::Side;

void pinTo(Operation &operation, Side side, const std::string &why) {
  if (operation.pin && (*operation.pin == side || side == Side::Device))
    return;
  operation.pin = side;
  operation.why = why;
}

/// What has no implementation on the device is the host's; one of the device's that is named is a pin, but in a kernel,
/// which cannot call it.
static void pinForLibrary(Operation &operation, const Node &node, Caller caller) {
  if (std::string why = whyNoImplementation(node, caller); !why.empty())
    pinTo(operation, Side::Host, why);
  else if (caller == Caller::Device && namesDeviceImplementation(node))
    pinTo(operation, Side::Device, "its implementation is " + *node.stringAttribute("implementation"));
}

void pinForNode(Operation &operation, const Node &node, Caller caller) {
  if (node.kind == NodeKind::Other)
    pinTo(operation, Side::Host, "a node of type " + node.type());
  if (node.kind == NodeKind::ConsumeEntry)
    pinTo(operation, Side::Host, "a consume scope");
  if (node.kind == NodeKind::Tasklet && node.flagAttribute("side_effects"))
    pinTo(operation, Side::Host, "a callback");
  if (node.kind == NodeKind::Tasklet && node.code.language != "Python" && node.code.language != "CPP")
    pinTo(operation, Side::Host, "a tasklet in " + node.code.language);
  if (node.kind == NodeKind::Library)
    pinForLibrary(operation, node, caller);
  if (node.isOnDevice())
    pinTo(operation, Side::Device, "scheduled on the GPU");
}

void pinForNested(Operation &operation, const Sdfg &nested, Caller caller) {
  forEachDataflow(nested.graph, [&](const State &inner, const Dataflow &dataflow) {
    for (NodeId id = 0; id < inner.nodes.size(); ++id) {
      const Node &node = inner.nodes[id];
      Caller here = dataflow.scope(id) == kNone ? caller : Caller::Kernel;
      pinForNode(operation, node, here);
      if (node.nested)
        pinForNested(operation, *node.nested, here);
    }
  });
}

} // namespace ferry::sdfg
