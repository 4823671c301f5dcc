# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DOUTPUT=out.cpp -DFILES=a.fut;b.fut -P embed.cmake: a source file with each file's text as a string.
set(code "// Made by embed.cmake.\nnamespace ferry::futhark::prelude {\n")
foreach(file ${FILES})
  get_filename_component(name "${file}" NAME_WE)
  file(READ "${file}" text)
  string(APPEND code "extern const char *const ${name}Text;\nconst char *const ${name}Text = R\"FUT(${text})FUT\";\n")
endforeach()
string(APPEND code "} // namespace ferry::futhark::prelude\n")
file(WRITE "${OUTPUT}" "${code}")
