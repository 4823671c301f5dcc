// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a graph reads as, what is kept of it, and what each kind of malformed input is told.

#include "graphs.h"

#include "sdfg/dataflow.h"
#include "sdfg/names.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

using namespace ferry::sdfg;
using namespace ferry::sdfg::testing;

namespace {

std::string compact(const std::string &text) { return toString(parseJson(text)->json, Layout::Compact); }

std::string refuse(const std::string &from, const std::string &to) { return refusal(with(kMapText, from, to)); }

const State &mainState(const Program &program) { return *program.root.graph.blocks[0].state(); }

class Folder {
public:
  Folder() : path(std::filesystem::temp_directory_path() / ("ferry-sdfg-" + std::to_string(getpid()))) {
    std::filesystem::create_directory(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string file(const char *name) const { return (path / name).string(); }
  std::size_t count() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(path), std::filesystem::directory_iterator()));
  }
  std::filesystem::path path;
};

} // namespace

TEST(SdfgFile, ReadsTheModel) {
  Program read = program(kMapText);
  EXPECT_EQ(read.root.name(), "half");
  EXPECT_EQ(read.version.text, "1.0.2");
  EXPECT_EQ(read.root.argumentNames(), (std::vector<std::string>{"A", "B"}));
  EXPECT_EQ(read.root.constants(), std::vector<std::string>{"c"});
  const Container &b = *read.root.find("B");
  EXPECT_EQ(b.strides, std::vector<Expr>{1}); // DaCe's defaults
  EXPECT_EQ(b.totalSize, Expr::symbol("N"));
  EXPECT_EQ(b.bytes()->toString(), "8*N");
  EXPECT_TRUE(read.root.find("s")->transient);
  const State &state = mainState(read);
  EXPECT_EQ(state.nodes[1].scope.params, std::vector<std::string>{"i"});
  EXPECT_EQ(toString(state.nodes[1].scope.range), "[0:N:2]");
  EXPECT_EQ(state.nodes[1].schedule->location, Location::Host);
  EXPECT_EQ(state.nodes[1].partner, 3u);
  EXPECT_EQ(state.nodes[3].partner, 1u);
  EXPECT_EQ(state.nodes[2].code.text, "b = a");
  EXPECT_EQ(state.edges[1].fromConnector, "OUT_A");
  EXPECT_EQ(toString(*state.edges[1].memlet.subset), "[i]");
  EXPECT_EQ(state.edges[2].memlet.wcr, "lambda a, b: a + b");
  EXPECT_TRUE(state.edges[2].memlet.dynamic);
  const InterstateEdge &edge = read.root.graph.edges[0];
  EXPECT_EQ(edge.condition.text, "(s > c)");
  EXPECT_EQ(edge.assignments, (std::vector<std::pair<std::string, std::string>>{{"k", "N + 1"}}));
}

TEST(SdfgFile, KeepsEverything) {
  Program read = program(compact(kMapText));
  EXPECT_EQ(printProgram(read), compact(kMapText));
  std::string indented = toString(parseJson(kMapText)->json, Layout::Indented);
  EXPECT_EQ(printProgram(program(indented)), indented);
}

/// Graphs of DaCe's main branch: Inputs/main/make.py says how they were made.
TEST(SdfgFile, KeepsGraphsOfTheMainBranch) {
  std::size_t count = 0;
  for (const auto &entry : std::filesystem::directory_iterator("test/sdfg/Inputs/main")) {
    if (entry.path().extension() != ".sdfg")
      continue;
    ++count;
    std::ifstream file(entry.path());
    std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    Program read = program(text);
    EXPECT_EQ(read.version.dialect, Dialect::Dollar);
    EXPECT_TRUE(printProgram(read) == text) << entry.path();
  }
  EXPECT_EQ(count, 10u);
}

TEST(SdfgFile, ReadsRegions) {
  auto read = readProgram("test/sdfg/Inputs/main/search-simplified.sdfg");
  ASSERT_TRUE(read) << read.error().message;
  std::string seen;
  forEachBlock(read->root.graph, [&](const Block &block) { seen += block.type() + " "; });
  EXPECT_EQ(seen, "SDFGState LoopRegion ConditionalBlock ConditionalBlock SDFGState BreakBlock SDFGState SDFGState ");
  const Loop &loop = *read->root.graph.blocks[1].region()->loop;
  EXPECT_EQ(loop.variable, "i");
  EXPECT_EQ(loop.condition->text, "(i < N)");
  EXPECT_EQ(sourceOf(read->root, *read).file, "make.py");
  EXPECT_EQ(sourceOf(read->root, *read).line, 25);
}

TEST(SdfgFile, FollowsMemlets) {
  Program read = program(kMapText);
  auto flow = Dataflow::of(mainState(read));
  ASSERT_TRUE(flow);
  EXPECT_EQ(flow->order(), (std::vector<NodeId>{0, 1, 2, 3, 4}));
  EXPECT_EQ(flow->scope(1), kNone);
  EXPECT_EQ(flow->scope(2), 1u);
  EXPECT_EQ(flow->scope(3), 1u);
  EXPECT_EQ(flow->scope(4), kNone);
  std::span<const NodeId> top = flow->children(kNone);
  EXPECT_EQ(std::vector<NodeId>(top.begin(), top.end()), (std::vector<NodeId>{0, 1, 4}));
  EXPECT_EQ(flow->onlyChild(1), 2u);
  EXPECT_EQ(flow->onlyChild(kNone), kNone) << "there are several";
  EXPECT_EQ(flow->outermost(1), 0u);
  EXPECT_EQ(flow->outermost(2), 3u);
  EXPECT_EQ(flow->innermost(0), std::vector<Dataflow::EdgeId>{1});
  EXPECT_EQ(flow->innermost(3), std::vector<Dataflow::EdgeId>{2});
}

TEST(SdfgFile, WritesChanges) {
  Program read = program(compact(kMapText));
  read.root.find("A")->setStorage("GPU_Global");
  State &state = *read.root.graph.blocks[0].state();
  state.nodes[1].setSchedule("GPU_Device");
  // A state more, whose nodes come before: ids and scopes are written anew.
  Block before = Block::newState("before");
  NodeId a = before.state()->add(Node::access("A"));
  auto [entry, exit] = Node::map("one", {{"j"}, Subset{{{0, 0}}}}, "GPU_Device", Dialect::Plain);
  NodeId in = before.state()->add(std::move(entry)), out = before.state()->add(std::move(exit));
  before.state()->nodes[in].partner = out;
  before.state()->nodes[out].partner = in;
  before.state()->nodes[out].addConnector(true, "IN_A");
  before.state()->nodes[out].addConnector(false, "OUT_A");
  NodeId work = before.state()->add(Node::tasklet("set", {"o = 0"}, {}, {"o"}));
  before.state()->connect(in, std::nullopt, work, std::nullopt, Memlet::empty());
  Memlet first = Memlet::of("A", Subset{{{0, 0}}}, Dialect::Plain);
  before.state()->connect(work, "o", out, "IN_A", first);
  before.state()->connect(out, "OUT_A", a, std::nullopt, first);
  read.root.graph.blocks.push_back(std::move(before));
  read.root.graph.edges.push_back(InterstateEdge::between(2, 0));
  read.root.graph.edges[0].setAssignments({{"k", "0"}});
  read.root.addSymbol("M", "int64");

  Program again = program(printProgram(read));
  EXPECT_EQ(again.root.find("A")->storage->location, Location::Device);
  EXPECT_EQ(mainState(again).nodes[1].schedule->name, "GPU_Device");
  const State &written = *again.root.graph.blocks[2].state();
  EXPECT_EQ(written.nodes[in].partner, out);
  auto flow = Dataflow::of(written);
  ASSERT_TRUE(flow);
  EXPECT_EQ(flow->scope(work), in);
  EXPECT_EQ(again.root.graph.startBlock(), 2u);
  EXPECT_TRUE(again.root.hasSymbol("M"));
  EXPECT_NE(printProgram(again).find(R"("scope_dict":{"-1":[0,1],"1":[2,3]})"), std::string::npos);
  EXPECT_NE(printProgram(again).find(R"("label":"(s > c); k=0")"), std::string::npos);

  // Removing nodes moves the others' ids up.
  State &changed = *again.root.graph.blocks[2].state();
  changed.remove({true, false, false, false});
  EXPECT_EQ(changed.nodes.size(), 3u);
  EXPECT_EQ(changed.nodes[0].partner, 1u);
  EXPECT_EQ(changed.edges.size(), 2u);
  EXPECT_EQ(changed.edges[1].to, 1u);
}

TEST(SdfgFile, NamesAreFresh) {
  Program read = program(kMapText);
  Names names(read);
  for (const char *used : {"A", "N", "i", "IN_A", "a", "k", "c", "main", "half"})
    EXPECT_EQ(names.fresh(used), std::string(used) + "_0");
  EXPECT_EQ(names.fresh("A"), "A_1");
  EXPECT_EQ(names.fresh("other"), "other");
  EXPECT_EQ(names.fresh("other"), "other_0");
}

TEST(SdfgFile, Compresses) {
  std::string text(100000, 'x');
  for (const std::string &each : {text, std::string()}) {
    auto back = decompress(*compress(each));
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, each);
  }
  EXPECT_EQ(*compress(text), *compress(text));
  EXPECT_EQ(*decompress(*compress("a") + *compress("b")), "ab");
  std::string packed = *compress(kMapText);
  EXPECT_EQ(refusal(packed), "nothing");
  EXPECT_EQ(refusal(packed.substr(0, packed.size() / 2)), "t: the gzip data ends early");
  packed[packed.size() / 2] = static_cast<char>(~packed[packed.size() / 2]);
  EXPECT_EQ(refusal(packed), "t: the gzip data is damaged");
}

TEST(SdfgFile, AppearsWhenComplete) {
  Folder folder;
  Program read = program(compact(kMapText));
  ASSERT_TRUE(writeProgram(read, folder.file("a.sdfg")));
  ASSERT_TRUE(writeProgram(read, folder.file("a.sdfgz")));
  EXPECT_EQ(folder.count(), 2u);
  EXPECT_EQ(printProgram(*readProgram(folder.file("a.sdfg"))), compact(kMapText));
  EXPECT_EQ(printProgram(*readProgram(folder.file("a.sdfgz"))), compact(kMapText));
  std::filesystem::create_directory(folder.path / "full");
  auto failed = writeProgram(read, folder.file("none/a.sdfg"));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message,
            folder.file("none/a.sdfg") + ": error: it cannot be written: No such file or directory");
  EXPECT_FALSE(writeProgram(read, folder.file("full")));
  EXPECT_EQ(folder.count(), 3u);
  EXPECT_EQ(readProgram(folder.file("full")).error().message,
            folder.file("full") + ": error: it cannot be read: Is a directory");
  EXPECT_EQ(readProgram(folder.file("none")).error().message,
            folder.file("none") + ": error: it cannot be read: No such file or directory");
}

TEST(SdfgFile, TakesTheNameOverAsItWas) {
  using std::filesystem::perms;
  Folder folder;
  Program read = program(compact(kMapText));
  ASSERT_TRUE(writeProgram(read, folder.file("real")));
  std::filesystem::permissions(folder.file("real"), perms::owner_read | perms::owner_write | perms::group_write);
  std::filesystem::create_symlink("real", folder.file("link"));
  std::filesystem::create_symlink(folder.file("link"), folder.file("farther"));
  std::filesystem::create_symlink("new", folder.file("dangling"));
  std::filesystem::create_symlink("round", folder.file("round"));
  read.root.find("A")->setStorage("GPU_Global");
  EXPECT_TRUE(writeProgram(read, folder.file("farther")));
  EXPECT_TRUE(writeProgram(read, folder.file("dangling")));
  EXPECT_FALSE(writeProgram(read, folder.file("round") + "/x"));
  for (const char *link : {"link", "farther", "dangling"})
    EXPECT_TRUE(std::filesystem::is_symlink(folder.file(link))) << link;
  for (const char *file : {"real", "new"})
    EXPECT_EQ(printProgram(*readProgram(folder.file(file))), printProgram(read)) << file;
  EXPECT_EQ(std::filesystem::status(folder.file("real")).permissions(),
            perms::owner_read | perms::owner_write | perms::group_write);
}

TEST(SdfgFile, CutsMessagesBetweenCharacters) {
  for (int shift = 0; shift < 4; ++shift) {
    std::string name(static_cast<std::size_t>(shift), 'x');
    while (name.size() < 700)
      name += "\u20ac";
    std::string message = readProgram(name).error().message;
    ASSERT_TRUE(message.ends_with("...")) << message;
    EXPECT_EQ((message.size() - 3 - static_cast<std::size_t>(shift)) % 3, 0u);
  }
}

TEST(SdfgFile, RefusesWhatIsNoSdfg) {
  EXPECT_EQ(refusal(""), "t: not JSON: the document ends early");
  EXPECT_EQ(refusal("{\"type\": "), "t: not JSON: the document ends early");
  EXPECT_EQ(refusal("[]"), "t: not an SDFG but a list");
  EXPECT_EQ(refusal("{}"), "t: it does not say which version of DaCe wrote it");
  EXPECT_EQ(refuse("1.0.2", "3.1"), "t: it was written by DaCe 3.1; 1.x and 2.x can be read");
  EXPECT_EQ(refuse("\"type\":\"SDFG\"", "\"type\":\"Tree\""), "t: not an SDFG but a 'Tree'");
  EXPECT_EQ(refuse("\"nodes\"", "\"knots\""), "t: it has no list 'nodes'");
  std::string stale = with(kMapText, "\"start_block\":0", "\"start_block\":7");
  EXPECT_EQ(refusal(stale), "nothing"); // Edges tell where it starts.
  EXPECT_EQ(refusal(with(stale, R"("src":"0","dst":"1"}],)",
                         R"("src":"0","dst":"1"},{"type":"Edge","attributes":{"data":{"type":"InterstateEdge",)"
                         R"("attributes":{},"label":""}},"src":"1","dst":"0"}],)")),
            "t: its start_block is none of its blocks");
  EXPECT_EQ(refusal("\x80\x04\x95pickle"), "t: not JSON: no JSON value begins here");
}

TEST(SdfgFile, NamesThePlace) {
  auto whole = [](const std::string &bytes) { return parseProgram(bytes, "t").error().message; };
  EXPECT_EQ(whole("{\n \"type\": "), "t:2:10: error: not JSON: the document ends early");
  EXPECT_EQ(whole(*compress("{\n \"type\": ")), "t:2:10: error: not JSON: the document ends early");
  EXPECT_EQ(whole("\n []"), "t:2:2: error: not an SDFG but a list");
  EXPECT_EQ(whole("\n {}"), "t:2:2: error: it does not say which version of DaCe wrote it");
  EXPECT_EQ(whole(with(kMapText, R"("edges":[{"type":"Edge")", R"("edges":[7,{"type":"Edge")")),
            "t:1:1: error: an edge is expected, not a number");
  auto refusedAt = [&](const std::string &from, const std::string &to, const std::string &element) {
    std::string text = with(kMapText, from, to);
    std::string place = "t:" + lineAndColumn(text, text.find(element)) + ": error: ";
    std::string message = whole(text);
    EXPECT_TRUE(message.starts_with(place)) << message << "\n" << place;
  };
  refusedAt(R"("src":"3","dst":"4")", R"("src":"3","dst":"9")",
            R"({"type":"MultiConnectorEdge","attributes":{"data":{"type":"Memlet","attributes":{"data":"B")");
  refusedAt(R"("data":"A","debuginfo":null)", R"("data":"Z")", R"({"type":"AccessNode","label":"A")");
  refusedAt(R"("transient":true)", R"("storage":"Tape")", R"({"type":"Scalar")");
  refusedAt(R"("step":"2")", R"("step":"2*")", R"({"type":"Range","ranges":[
{"start":"0","end":"N - 1","step":"2*")");
  refusedAt("(s > c)", "(z > c)", R"({"type":"Edge")");
}

TEST(SdfgFile, RefusesDanglingReferences) {
  EXPECT_EQ(refuse(R"("src":"3","dst":"4")", R"("src":"3","dst":"9")"),
            "t: state 'main', edge 3 -> 9: there is no node 9");
  EXPECT_EQ(refuse(R"("src":"3","dst":"4")", R"("src":"x","dst":"4")"),
            "t: state 'main', edge x -> 4: there is no node x");
  EXPECT_EQ(refuse(R"("src":"3","dst":"4")", R"("src":"-1","dst":"4")"),
            "t: state 'main', edge -1 -> 4: there is no node -1");
  EXPECT_EQ(refuse(R"("src":"0","dst":"1"}],)", R"("src":"0","dst":"5"}],)"), "t: edge 0 -> 5: there is no block 5");
  EXPECT_EQ(refuse(R"("data":"A","debuginfo":null)", R"("data":"Z")"),
            "t: state 'main', node 0 ('A'): there is no container 'Z'");
  EXPECT_EQ(refuse(R"("data":"A","subset":{"type":"Indices")", R"("data":"Z","subset":{"type":"Indices")"),
            "t: state 'main', edge 1 -> 2: its memlet names 'Z', which is no container");
  EXPECT_EQ(refuse(R"("indices":["i"])", R"("indices":["q"])"),
            "t: state 'main', edge 1 -> 2: its memlet names 'q', which is not defined");
  EXPECT_EQ(refuse(R"("start":"0","end":"N - 1","step":"2")", R"("start":"0","end":"Q","step":"2")"),
            "t: state 'main', node 1 ('even[i=0:N:2]'): its range names 'Q', which is not defined");
  EXPECT_EQ(refuse("(s > c)", "(z > c)"), "t: edge 0 -> 1: its condition names 'z', which is not defined");
  EXPECT_EQ(refuse("(s > c)", "(Z[0] > c)"), "t: edge 0 -> 1: its condition names 'Z', which is no container");
  EXPECT_EQ(refuse(R"("k":"N + 1"})", R"("k":"z + 1"})"),
            "t: edge 0 -> 1: what it assigns to 'k' names 'z', which is not defined");
  EXPECT_EQ(refuse(R"("dst_connector":"a")", R"("dst_connector":"z")"),
            "t: state 'main', edge 1 -> 2: node 2 has no connector 'z'");
  EXPECT_EQ(refuse(R"("scope_exit":"3"},
{"type":"Tasklet")",
                   R"("scope_exit":"2"},
{"type":"Tasklet")"),
            "t: state 'main', node 1 ('even[i=0:N:2]'): its exit is said to be node 2, which is none");
  EXPECT_EQ(refuse(R"("scope_exit":"3"},
{"type":"Tasklet")",
                   R"("scope_exit":null},
{"type":"Tasklet")"),
            "t: state 'main', node 1 ('even[i=0:N:2]'): there is no node ?");
  EXPECT_EQ(refuse(R"("src":"2","dst":"3")", R"("src":"2","dst":"1")"),
            "t: state 'main': its dataflow runs in a circle through or before node 1 ('even[i=0:N:2]')");
}

TEST(SdfgFile, RefusesWrongTypes) {
  EXPECT_EQ(refuse(R"("type":"SDFGState","label":"end")", R"("type":"Odd","label":"end")"),
            "t: block 'end': no block is of type 'Odd'");
  EXPECT_EQ(refuse(R"("type":"Scalar","attributes":{"dtype")", R"("type":"Odd","attributes":{"dtype")"),
            "t: container 's': no kind of container is called 'Odd'");
  EXPECT_EQ(refuse(R"("shape":["1"],)", R"("shape":["1 +"],)"),
            "t: container 's': 'shape': column 4: the expression ends early");
  EXPECT_EQ(refuse(R"("shape":["1"],)", R"("shape":3,)"), "t: container 's': 'shape' is not a list but a number");
  EXPECT_EQ(refuse(R"("strides":["1"])", R"("strides":["1","N"])"),
            "t: container 'A': its shape has 1 dimensions, its strides 2 and its offset 1");
  EXPECT_EQ(refuse(R"("transient":true)", R"("storage":"Tape")"), "t: container 's': no storage type is called 'Tape'");
  EXPECT_EQ(refuse(R"("transient":true)", R"("storage":"FPGA_Local")"),
            "t: container 's': its storage FPGA_Local is of an accelerator that Ferry does not place for");
  EXPECT_EQ(refuse("CPU_Multicore", "Never"),
            "t: state 'main', node 1 ('even[i=0:N:2]'): no schedule is called 'Never'");
  EXPECT_EQ(refuse("CPU_Multicore", "Snitch"), "t: state 'main', node 1 ('even[i=0:N:2]'): its schedule Snitch is of "
                                               "an accelerator that Ferry does not place for");
  EXPECT_EQ(refuse(R"("params":["i"])", R"("params":["i","j"])"),
            "t: state 'main', node 1 ('even[i=0:N:2]'): it has 2 parameters and a range of 1 dimensions");
  EXPECT_EQ(refuse(R"("params":["i"])", R"("params":[1])"),
            "t: state 'main', node 1 ('even[i=0:N:2]'): a parameter has no name");
  EXPECT_EQ(refuse(R"("step":"2")", R"("step":"2*")"),
            "t: state 'main', node 1 ('even[i=0:N:2]'), range: step: column 3: the expression ends early");
  EXPECT_EQ(refuse(R"("src_connector":"b")", R"("src_connector":3)"),
            "t: state 'main', edge 2 -> 3: 'src_connector' is not a name but a number");
  EXPECT_EQ(refuse(R"("type":"Memlet")", R"("type":"Letter")"),
            "t: state 'main', edge 0 -> 1: not a memlet but a 'Letter'");
  EXPECT_EQ(refuse(R"("assignments":{"k":"N + 1"})", R"("assignments":[1])"),
            "t: edge 0 -> 1: 'assignments' is not an object but a list");
  EXPECT_EQ(refuse(R"("attributes":{"name":"half")", R"("attributes":{"nome":"half")"), "t: it has no name");
  EXPECT_EQ(refuse(R"("_arrays":{)", R"("_arrays":{"A":{},)"), "t: container 'A': no kind of container is called ''");
  EXPECT_EQ(refuse(R"("label":"end")", "\"label\":\"e\\nd\""), "nothing");
  EXPECT_EQ(refuse(R"("type":"SDFGState","label":"end")", "\"type\":\"O\\nd\",\"label\":\"e\\u0007d\""),
            "t: block 'e d': no block is of type 'O d'");
}

TEST(SdfgFile, RefusesEndlessNesting) {
  std::string text = R"({"type":"SDFG","attributes":{"name":"x"},"dace_version":"1.0.2","edges":[],"nodes":[)";
  std::string region = R"({"type":"ControlFlowRegion","label":"r","attributes":{},"edges":[],"nodes":[)";
  std::string deep = text;
  for (int i = 0; i < 5000; ++i)
    deep += region;
  EXPECT_NE(refusal(deep).find("nested deeper than 1000 levels"), std::string::npos);
  std::string most = text;
  for (int i = 0; i < 490; ++i)
    most += region;
  for (int i = 0; i < 490; ++i)
    most += "]}";
  EXPECT_EQ(refusal(most + "]}"), "nothing");
}
