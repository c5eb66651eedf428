// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/support/SpelledTypes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>

using namespace plumb;

using llvm::StringRef;

/// Element types in MLIR's form and as programs name them.
static constexpr std::pair<StringRef, StringRef> kElements[] = {{"f16", "Float16"},
                                                                {"bf16", "BFloat16"},
                                                                {"f32", "Float32"},
                                                                {"f64", "Float64"},
                                                                {"i1", "Bool"},
                                                                {"i8", "Int8"},
                                                                {"i16", "Int16"},
                                                                {"i32", "Int32"},
                                                                {"i64", "Int64"},
                                                                {"ui8", "UInt8"},
                                                                {"ui16", "UInt16"},
                                                                {"ui32", "UInt32"},
                                                                {"ui64", "UInt64"},
                                                                {"complex<f32>", "Complex64"},
                                                                {"complex<f64>", "Complex128"}};

static std::optional<StringRef> findElement(StringRef spelled) {
  for (auto [mlir, name] : kElements)
    if (mlir == spelled)
      return name;
  return std::nullopt;
}

/// The text up to the bracket that closes the one at its head; npos where none does.
static size_t findClosing(StringRef text) {
  size_t depth = 0;
  for (size_t place = 0; place < text.size(); ++place) {
    depth += text[place] == '<';
    if (text[place] == '>' && --depth == 0)
      return place;
  }
  return StringRef::npos;
}

/// `Tensor[Float32] of shape (2, 3)` for "2x3xf32".
static std::optional<std::string> spellTensor(StringRef inside) {
  std::string shape;
  unsigned rank = 0;
  while (!inside.empty() && (llvm::isDigit(inside.front()) || inside.front() == '?')) {
    auto [extent, rest] = inside.split('x');
    shape += (rank++ ? ", " : "") + extent.str();
    inside = rest;
  }
  auto element = findElement(inside);
  if (!element)
    return std::nullopt;
  return ("Tensor[" + *element + "] of shape (" + shape + (rank == 1 ? ",)" : ")")).str();
}

/// Spells the type that stands at the head of `text`, and takes it away; a quoted one with its quotes.
static std::optional<std::string> takeTensor(StringRef &text) {
  bool isQuoted = text.starts_with("'");
  StringRef rest = text.drop_front(isQuoted);
  if (!rest.consume_front("tensor"))
    return std::nullopt;
  size_t end = rest.starts_with("<") ? findClosing(rest) : StringRef::npos;
  if (end == StringRef::npos || (isQuoted && !rest.drop_front(end + 1).starts_with("'")))
    return std::nullopt;
  auto spelled = spellTensor(rest.slice(1, end));
  if (spelled)
    text = rest.drop_front(end + 1 + isQuoted);
  return spelled;
}

/// Spells "tensor of shape (2, 3) of f32", "of f32" and "dtype f32" at the head of `text`, and takes it away.
static std::optional<std::string> takeElement(StringRef &text) {
  StringRef rest = text, shape;
  bool isTensor = rest.consume_front("tensor of shape (");
  if (isTensor) {
    size_t end = rest.find(')');
    shape = rest.take_front(end);
    rest = rest.drop_front(std::min(rest.size(), end)).drop_front(end != StringRef::npos);
    isTensor = rest.consume_front(" of ");
  }
  StringRef word = isTensor ? "" : rest.consume_front("of ") ? "of " : rest.consume_front("dtype ") ? "dtype " : "-";
  StringRef spelled = rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (spelled == "complex")
    spelled = rest.take_front(findClosing(rest) == StringRef::npos ? 0 : findClosing(rest) + 1);
  auto element = word == "-" ? std::nullopt : findElement(spelled);
  if (!element)
    return std::nullopt;
  text = rest.drop_front(spelled.size());
  return isTensor ? ("Tensor[" + *element + "] of shape (" + shape + ")").str() : (word + *element).str();
}

std::string plumb::spellTypes(StringRef message) {
  std::string result;
  bool isWordBegin = true;
  while (!message.empty()) {
    auto spelled = isWordBegin ? takeTensor(message) : std::nullopt;
    if (!spelled && isWordBegin)
      spelled = takeElement(message);
    if (spelled) {
      result += *spelled;
      isWordBegin = false;
      continue;
    }
    isWordBegin = !llvm::isAlnum(message.front()) && message.front() != '_' && message.front() != '!';
    result += message.front();
    message = message.drop_front();
  }
  return result;
}

std::string plumb::spellTypes(mlir::Diagnostic &diagnostic) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (const mlir::DiagnosticArgument &argument : diagnostic.getArguments()) {
    if (argument.getKind() != mlir::DiagnosticArgument::DiagnosticArgumentKind::Type) {
      argument.print(stream);
      continue;
    }
    std::string type;
    llvm::raw_string_ostream(type) << argument.getAsType();
    auto element = findElement(type);
    if (element)
      stream << *element;
    else
      argument.print(stream);
  }
  return spellTypes(StringRef(text));
}
