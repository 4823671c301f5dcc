// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/model.h"

#include <string>
#include <string_view>

namespace ferry::sdfg {

/// Reads an .sdfg file, plain or gzip, whatever its name. Written by DaCe 1.x or 2.x; docs/sdfg.md has the format. The
/// message of an error is one line that names the file, the place in it (of a packed file, in its text) and the
/// element: "jacobi.sdfg:90:7: error: state 'main', edge 3 -> 9: there is no node 9".
placement::Result<Program> readProgram(const std::string &path);

/// The same of a file's contents; `name` is what messages call it.
placement::Result<Program> parseProgram(std::string_view bytes, const std::string &name);

/// The program as text in the layout it was read in. What was not changed since is, byte for byte, what DaCe wrote.
std::string printProgram(const Program &program);

/// Writes the program; gzip if the name ends in ".sdfgz" or ".gz". The file appears when it is complete, or not at all:
/// one that was there keeps its mode, and symbolic links lead to the new one.
placement::Result<void> writeProgram(const Program &program, const std::string &path);

/// gzip, for files and tests. The bytes depend on nothing but the text. An error if zlib has no memory.
placement::Result<std::string> compress(std::string_view text);
/// Errors: "the gzip data ends early", "the gzip data is damaged".
placement::Result<std::string> decompress(std::string_view bytes);

} // namespace ferry::sdfg
