// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "graphs.h"

#include <gtest/gtest.h>

#include <regex>

namespace ferry::sdfg::testing {

const char *const kMapText = R"json({"type":"SDFG","attributes":{"name":"half","arg_names":["A","B"],"_arrays":{
"A":{"type":"Array","attributes":{"strides":["1"],"total_size":"N","offset":["0"],"dtype":"float64","shape":["N"]}},
"B":{"type":"Array","attributes":{"dtype":"float64","shape":["N"]}},
"s":{"type":"Scalar","attributes":{"dtype":"int32","shape":["1"],"transient":true}}},
"symbols":{"N":"int32"},"constants_prop":{"c":[{"type":"Scalar","attributes":{}},3]},"future":{"x":1}},
"nodes":[{"type":"SDFGState","label":"main","id":0,"collapsed":false,"scope_dict":{"-1":[0,1,4],"1":[2,3]},
"nodes":[
{"type":"AccessNode","label":"A","attributes":{"data":"A","debuginfo":null},"id":0,"scope_entry":null,"scope_exit":null},
{"type":"MapEntry","label":"even[i=0:N:2]","attributes":{"label":"even","params":["i"],"range":{"type":"Range","ranges":[
{"start":"0","end":"N - 1","step":"2","tile":"1"}]},"schedule":"CPU_Multicore","in_connectors":{"IN_A":null},
"out_connectors":{"OUT_A":null}},"id":1,"scope_entry":null,"scope_exit":"3"},
{"type":"Tasklet","label":"work","attributes":{"code":{"string_data":"b = a","language":"Python"},"label":"work",
"in_connectors":{"a":null},"out_connectors":{"b":null}},"id":2,"scope_entry":"1","scope_exit":"3"},
{"type":"MapExit","label":"even[i=0:N:2]","attributes":{"in_connectors":{"IN_B":null},"out_connectors":{"OUT_B":null}},"id":3,
"scope_entry":"1","scope_exit":"3"},
{"type":"AccessNode","label":"B","attributes":{"data":"B"},"id":4,"scope_entry":null,"scope_exit":null}],
"edges":[
{"type":"MultiConnectorEdge","attributes":{"data":{"type":"Memlet","attributes":{"volume":"N","data":"A","subset":{"type":"Range",
"ranges":[{"start":"0","end":"N - 1","step":"1","tile":"1"}]},"is_data_src":true}}},"src":"0","dst":"1","dst_connector":"IN_A",
"src_connector":null},
{"type":"MultiConnectorEdge","attributes":{"data":{"type":"Memlet","attributes":{"volume":"1","data":"A","subset":{"type":"Indices",
"indices":["i"]}}}},"src":"1","dst":"2","dst_connector":"a","src_connector":"OUT_A"},
{"type":"MultiConnectorEdge","attributes":{"data":{"type":"Memlet","attributes":{"volume":"1","data":"B","wcr":"lambda a, b: a + b",
"dynamic":true,"subset":{"type":"Range","ranges":[{"start":"i","end":"i","step":"1","tile":"1"}]}}}},"src":"2","dst":"3",
"dst_connector":"IN_B","src_connector":"b"},
{"type":"MultiConnectorEdge","attributes":{"data":{"type":"Memlet","attributes":{"data":"B","subset":{"type":"Range","ranges":[
{"start":"0","end":"N - 1","step":"1","tile":"1"}]}}}},"src":"3","dst":"4","dst_connector":null,"src_connector":"OUT_B"}],
"attributes":{}},
{"type":"SDFGState","label":"end","id":1,"collapsed":false,"scope_dict":{"-1":[]},"nodes":[],"edges":[],"attributes":{}}],
"edges":[{"type":"Edge","attributes":{"data":{"type":"InterstateEdge","attributes":{"condition":{"string_data":"(s > c)",
"language":"Python"},"assignments":{"k":"N + 1"}},"label":"(s > c); k=N + 1"}},"src":"0","dst":"1"}],
"collapsed":false,"label":"","id":null,"cfg_list_id":0,"start_block":0,"dace_version":"1.0.2"})json";

std::string with(std::string text, const std::string &from, const std::string &to) {
  std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

Program program(const std::string &text) {
  auto result = parseProgram(text, "test.sdfg");
  EXPECT_TRUE(result) << result.error().message;
  return result ? std::move(*result) : Program();
}

std::string refusal(const std::string &bytes) {
  auto result = parseProgram(bytes, "t");
  return result ? "nothing" : std::regex_replace(result.error().message, std::regex("^t(:\\d+:\\d+)?: error: "), "t: ");
}

} // namespace ferry::sdfg::testing
