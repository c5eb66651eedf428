// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/support/RenderedDiagnostics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

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

/// A line that begins with the place of a file of the Python package, from the package on: where it is installed, or built,
/// tells a user nothing.
static StringRef shortenPlace(StringRef line) {
  StringRef file = line.take_front(line.find(".py:"));
  if (!line.starts_with("/") || file.size() == line.size() || file.contains(' '))
    return line;
  for (StringRef folder : {"/plumb/nn/", "/plumb/ops/", "/plumb/common/", "/plumb/numpy/"})
    if (size_t position = file.rfind(folder); position != StringRef::npos)
      return line.drop_front(position + 1);
  return line;
}

/// Shortens places in the package, and draws each caret on under the text that it points at, in lines of Python programs.
static std::string underline(StringRef text) {
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n');
  std::string result;
  for (auto [number, line] : llvm::enumerate(lines)) {
    if (number)
      result += '\n';
    result += shortenPlace(line);
    if (number < 2 || line.ltrim() != "^" || !lines[number - 2].contains(".py:") || line.size() > lines[number - 1].size())
      continue;
    result.append(measureExpression(lines[number - 1].drop_front(line.size() - 1)) - 1, '~');
  }
  return result;
}

RenderedDiagnostics::RenderedDiagnostics(llvm::SourceMgr &sources, mlir::MLIRContext *context, DiagnosticSink sink)
    : SourceMgrDiagnosticHandler(sources, context, stream), stream(text), sink(std::move(sink)) {
  setHandler([this](mlir::Diagnostic &diagnostic) { render(diagnostic); });
}

void RenderedDiagnostics::render(mlir::Diagnostic &diagnostic) {
  emitDiagnostic(diagnostic);
  stream.flush();
  sink(diagnostic.getSeverity(), underline(text));
  text.clear();
}
