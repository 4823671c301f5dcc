// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "futhark/lower/locations.h"

#include "futhark/lower/evaluator.h"
#include "futhark/prelude/prelude.h"

namespace ferry::futhark::lowering {

bool isBuiltIn(const SourceRange &range) {
  return !range.file || llvm::any_of(prelude::files(), [&](const prelude::File &file) {
    return file.name == range.file->path() && file.text == range.file->text();
  });
}

mlir::Location locationOf(mlir::MLIRContext *context, const SourceRange &range) {
  SourceFile::Position position = range.file->position(range.begin);
  return mlir::FileLineColLoc::get(context, range.file->path(), position.line, position.column);
}

Evaluator::At::At(Evaluator &evaluator, const SourceRange &range)
    : evaluator(evaluator), location(evaluator.emit.location), range(evaluator.range), checked(evaluator.emit.checked) {
  if (isBuiltIn(range))
    return;
  evaluator.range = range;
  evaluator.emit.location = locationOf(evaluator.emit.builder.getContext(), range);
}

Evaluator::At::~At() {
  evaluator.emit.location = location;
  evaluator.range = range;
  evaluator.emit.checked = checked;
}

} // namespace ferry::futhark::lowering
