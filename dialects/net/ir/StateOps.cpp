// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// State ops: the syntax of tokens, the checks against the parameters they name, and effects.
// An op without a token counts as touching memory, so that nothing moves across it; with one,
// its order is data and it needs no effect to stay in place.

#include "dialects/net/ir/NetStateOps.h"

#include "dialects/net/ir/NetModuleOps.h"

using namespace mlir;
using plumb::net::IOType;
using plumb::net::UType;

using UnresolvedToken = std::optional<OpAsmParser::UnresolvedOperand>;

/// Parses `after %token` if it is there; the op then yields a token too.
template <typename TokenType>
static ParseResult parseOrder(OpAsmParser &parser, UnresolvedToken &token, Type &tokenType, Type &outTokenType) {
  if (failed(parser.parseOptionalKeyword("after")))
    return success();
  token.emplace();
  tokenType = outTokenType = TokenType::get(parser.getContext());
  return parser.parseOperand(*token);
}

static ParseResult parseMemoryOrder(OpAsmParser &parser, UnresolvedToken &token, Type &type, Type &outType) {
  return parseOrder<UType>(parser, token, type, outType);
}

static ParseResult parseIOOrder(OpAsmParser &parser, UnresolvedToken &token, Type &type, Type &outType) {
  return parseOrder<IOType>(parser, token, type, outType);
}

static void printMemoryOrder(OpAsmPrinter &printer, Operation *, Value token, Type, Type) {
  if (token)
    printer << "after " << token;
}

static void printIOOrder(OpAsmPrinter &printer, Operation *op, Value token, Type type, Type out) {
  printMemoryOrder(printer, op, token, type, out);
}

#define GET_OP_CLASSES
#include "dialects/net/ir/NetStateOps.cpp.inc"

namespace plumb::net {

void NetDialect::registerStateOps() {
  addTheme<
#define GET_OP_LIST
#include "dialects/net/ir/NetStateOps.cpp.inc"
      >();
}

//===--------------------------------------------------------------------------------------===//
// Shared checks
//===--------------------------------------------------------------------------------------===//

/// read_c2, assign_c2, print_c1.
static LogicalResult verifyTokens(StateOpInterface op) {
  if (static_cast<bool>(op.getInToken()) == static_cast<bool>(op.getOutToken()))
    return success();
  return op->emitOpError() << "takes a token exactly if it yields one";
}

/// read_c1, assign_c1.
static LogicalResult verifyParameter(Operation *op, FlatSymbolRefAttr name, Type type, SymbolTableCollection &symbols) {
  Operation *symbol = symbols.lookupNearestSymbolFrom(op, name);
  if (!symbol)
    return op->emitOpError() << "names no parameter: " << name;
  auto parameter = llvm::dyn_cast<ParameterOp>(symbol);
  if (!parameter) {
    InFlightDiagnostic error = op->emitOpError() << name << " is not a parameter";
    error.attachNote(symbol->getLoc()) << "it is declared here";
    return error;
  }
  if (parameter.getType() == type)
    return success();
  InFlightDiagnostic error = op->emitOpError()
                             << "has a value of type " << type << " for " << name << " of type " << parameter.getType();
  error.attachNote(parameter.getLoc()) << "the parameter is declared here";
  return error;
}

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

//===--------------------------------------------------------------------------------------===//
// ReadOp
//===--------------------------------------------------------------------------------------===//

void ReadOp::build(OpBuilder &builder, OperationState &state, Type type, StringRef parameter, Value token) {
  Type outToken = token ? token.getType() : Type();
  build(builder, state, type, outToken, FlatSymbolRefAttr::get(builder.getContext(), parameter), token);
}

LogicalResult ReadOp::verify() { return verifyTokens(*this); }

LogicalResult ReadOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyParameter(*this, getParameterAttr(), getValue().getType(), symbols);
}

TokenKind ReadOp::getTokenKind() { return TokenKind::Memory; }
Value ReadOp::getInToken() { return getToken(); }

Operation *ReadOp::cloneWithToken(OpBuilder &builder, Value token) {
  return ReadOp::create(builder, getLoc(), getValue().getType(), getParameter(), token);
}

void ReadOp::getEffects(Effects &effects) {
  if (!getToken())
    effects.emplace_back(MemoryEffects::Read::get());
}

//===--------------------------------------------------------------------------------------===//
// AssignOp
//===--------------------------------------------------------------------------------------===//

void AssignOp::build(OpBuilder &builder, OperationState &state, StringRef parameter, Value value, Value token) {
  Type outToken = token ? token.getType() : Type();
  build(builder, state, outToken, FlatSymbolRefAttr::get(builder.getContext(), parameter), value, token);
}

LogicalResult AssignOp::verify() { return verifyTokens(*this); }

LogicalResult AssignOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyParameter(*this, getParameterAttr(), getValue().getType(), symbols);
}

TokenKind AssignOp::getTokenKind() { return TokenKind::Memory; }
Value AssignOp::getInToken() { return getToken(); }

Operation *AssignOp::cloneWithToken(OpBuilder &builder, Value token) {
  return AssignOp::create(builder, getLoc(), getParameter(), getValue(), token);
}

void AssignOp::getEffects(Effects &effects) {
  if (!getToken())
    effects.emplace_back(MemoryEffects::Write::get());
}

//===--------------------------------------------------------------------------------------===//
// PrintOp
//===--------------------------------------------------------------------------------------===//

void PrintOp::build(OpBuilder &builder, OperationState &state, StringRef format, ValueRange values, Value token) {
  Type outToken = token ? token.getType() : Type();
  build(builder, state, outToken, builder.getStringAttr(format), values, token);
}

SmallVector<std::string> PrintOp::getTexts() {
  StringRef format = getFormat();
  SmallVector<std::string> texts(1);
  for (size_t i = 0; i < format.size(); ++i) {
    StringRef pair = format.substr(i, 2);
    if (pair == "{}")
      texts.emplace_back();
    else
      texts.back() += format[i];
    i += pair == "{}" || pair == "{{" || pair == "}}";
  }
  return texts;
}

LogicalResult PrintOp::verify() {
  // print_c2
  size_t places = getTexts().size() - 1;
  if (places != getValues().size())
    return emitOpError() << "has " << getValues().size() << " values for " << places << " {} in \"" << getFormat()
                         << "\"";
  return verifyTokens(*this);
}

TokenKind PrintOp::getTokenKind() { return TokenKind::IO; }
Value PrintOp::getInToken() { return getToken(); }

Operation *PrintOp::cloneWithToken(OpBuilder &builder, Value token) {
  return PrintOp::create(builder, getLoc(), getFormat(), getValues(), token);
}

void PrintOp::getEffects(Effects &effects) {
  if (!getToken())
    effects.emplace_back(MemoryEffects::Write::get());
}

//===--------------------------------------------------------------------------------------===//
// DependOp
//===--------------------------------------------------------------------------------------===//

OpFoldResult DependOp::fold(FoldAdaptor) { return getDependencies().empty() ? getValue() : OpFoldResult(); }

LogicalResult DependOp::buildAdjoint(OpBuilder &, ValueRange resultAdjoints, SmallVectorImpl<Value> &operandAdjoints) {
  operandAdjoints.assign(getNumOperands(), Value());
  operandAdjoints.front() = resultAdjoints.front();
  return success();
}

} // namespace plumb::net
