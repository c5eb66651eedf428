// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/support/RenderedDiagnostics.h"

#include "compiler/support/PackageFile.h"
#include "compiler/support/SpelledTypes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <optional>

using namespace plumb;

using llvm::StringRef;

/// Length of the group that opens at the head of `text` and closes on the same line; all of it when it does not.
static size_t measureGroup(StringRef text) {
  size_t depth = 0;
  for (auto [position, character] : llvm::enumerate(text)) {
    if (StringRef("([{").contains(character))
      ++depth;
    else if (StringRef(")]}").contains(character) && --depth == 0)
      return position + 1;
  }
  return text.rtrim().size();
}

/// Length of the name, call, subscript or attribute at the head of a piece of Python, at least 1.
static size_t measureExpression(StringRef text) {
  auto isNameCharacter = [](char character) { return llvm::isAlnum(character) || character == '_'; };
  size_t end = text.take_while(isNameCharacter).size();
  while (end && end < text.size()) {
    StringRef rest = text.drop_front(end);
    if (rest.front() == '.' && rest.size() > 1 && isNameCharacter(rest[1]))
      end += 1 + rest.drop_front().take_while(isNameCharacter).size();
    else if (rest.front() == '(' || rest.front() == '[')
      end += measureGroup(rest);
    else
      break;
  }
  return std::max<size_t>(end, 1);
}

/// A line that begins with the place of a file of the Python package, from the package on: where it is installed, or
/// built, tells a user nothing.
static StringRef shortenPlace(StringRef line) {
  StringRef file = line.take_front(line.find(".py:"));
  if (!line.starts_with("/") || file.size() == line.size() || file.contains(' '))
    return line;
  size_t position = findPackage(file);
  return position == StringRef::npos ? line : line.drop_front(position + 1);
}

/// Whether a place is in the Python package.
static bool isInPackage(mlir::Location location) {
  auto place = llvm::dyn_cast<mlir::FileLineColLoc>(location);
  return place && isPackageFile(place.getFilename());
}

/// The place of a call without the calls within the package: the user's line.
static mlir::Location getUserPlace(mlir::Location location) {
  auto call = llvm::dyn_cast<mlir::CallSiteLoc>(location);
  bool isMoved = call && isInPackage(getUserPlace(call.getCallee()));
  return isMoved ? getUserPlace(call.getCaller()) : location;
}

/// Shortens places in the package, and draws each caret on under the text that it points at, in lines of Python
/// programs.
static std::string underline(StringRef text) {
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n');
  std::string result;
  for (auto [number, line] : llvm::enumerate(lines)) {
    if (number)
      result += '\n';
    result += shortenPlace(line);
    if (number < 2 || line.ltrim() != "^" || !lines[number - 2].contains(".py:") ||
        line.size() > lines[number - 1].size())
      continue;
    result.append(measureExpression(lines[number - 1].drop_front(line.size() - 1)) - 1, '~');
  }
  return result;
}

RenderedDiagnostics::RenderedDiagnostics(llvm::SourceMgr &sources, mlir::MLIRContext *context, DiagnosticSink sink)
    : SourceMgrDiagnosticHandler(sources, context, stream), stream(text), sink(std::move(sink)) {
  setHandler([this](mlir::Diagnostic &diagnostic) { render(diagnostic); });
}

/// Whether a place is in a Python program, or in the package.
static bool isInPython(mlir::Location location) {
  auto place = location->findInstanceOf<mlir::FileLineColLoc>();
  return place && place.getFilename().getValue().ends_with(".py");
}

/// `diagnostic` as the writer of a Python program reads it: types in Python's form, and at the user's line where it is
/// about an operation that the package has called.
static std::optional<mlir::Diagnostic> addressToUser(mlir::Diagnostic &diagnostic) {
  mlir::Location place = getUserPlace(diagnostic.getLocation());
  if (isInPackage(place))
    place = diagnostic.getLocation();
  if (!isInPython(place))
    return std::nullopt;
  mlir::Diagnostic addressed(place, diagnostic.getSeverity());
  addressed << spellTypes(diagnostic);
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    addressed.attachNote(note.getLocation()) << spellTypes(note);
  return addressed;
}

void RenderedDiagnostics::render(mlir::Diagnostic &diagnostic) {
  std::optional<mlir::Diagnostic> addressed = addressToUser(diagnostic);
  emitDiagnostic(addressed ? *addressed : diagnostic);
  stream.flush();
  sink(diagnostic.getSeverity(), getKind(diagnostic), underline(text));
  text.clear();
}
