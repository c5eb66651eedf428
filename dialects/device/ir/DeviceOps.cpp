// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers, builders and small parsers of the device ops. Constraint numbers are those of the op descriptions.

#include "dialects/device/ir/Device.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace plumb::device;

//===----------------------------------------------------------------------===//
// Parts of assembly formats
//===----------------------------------------------------------------------===//

/// `(tensor<…>, tensor<…>)`
static ParseResult parseColumnTypes(OpAsmParser &parser, ArrayAttr &types) {
  SmallVector<Type> parsed;
  auto parseOne = [&] { return parser.parseType(parsed.emplace_back()); };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseOne))
    return failure();
  types = parser.getBuilder().getTypeArrayAttr(parsed);
  return success();
}

static void printColumnTypes(OpAsmPrinter &printer, Operation *, ArrayAttr types) {
  printer << '(';
  llvm::interleaveComma(types.getAsValueRange<TypeAttr>(), printer);
  printer << ')';
}

/// A bare 64-bit integer.
static ParseResult parseInteger(OpAsmParser &parser, IntegerAttr &attr) {
  int64_t value = 0;
  if (parser.parseInteger(value))
    return failure();
  attr = parser.getBuilder().getI64IntegerAttr(value);
  return success();
}

static ParseResult parseDepth(OpAsmParser &parser, IntegerAttr &attr) { return parseInteger(parser, attr); }
static void printDepth(OpAsmPrinter &printer, Operation *, IntegerAttr attr) { printer << attr.getInt(); }
static ParseResult parseOffset(OpAsmParser &parser, IntegerAttr &attr) { return parseInteger(parser, attr); }
static void printOffset(OpAsmPrinter &printer, Operation *, IntegerAttr attr) { printer << attr.getInt(); }

/// A loop's body. The attribute dictionary before it always holds the mode, so that `{` is never ambiguous.
static ParseResult parseStepBody(OpAsmParser &parser, Region &body) {
  if (parser.parseRegion(body))
    return failure();
  LoopOp::ensureTerminator(body, parser.getBuilder(), parser.getBuilder().getUnknownLoc());
  return success();
}

static void printStepBody(OpAsmPrinter &printer, Operation *, Region &body) { printer.printRegion(body); }

#define GET_OP_CLASSES
#include "dialects/device/ir/DeviceOps.cpp.inc"

//===----------------------------------------------------------------------===//
// What several verifiers need
//===----------------------------------------------------------------------===//

/// The declaration of kind `OpT` that `op` names, or failure after an error.
template <typename OpT>
static FailureOr<OpT> lookup(Operation *op, FlatSymbolRefAttr name, SymbolTableCollection &tables, StringRef kind) {
  Operation *found = tables.lookupNearestSymbolFrom(op, name);
  if (auto declaration = dyn_cast_or_null<OpT>(found))
    return declaration;
  InFlightDiagnostic diagnostic = op->emitOpError()
                                  << "refers to " << name << ", which is no " << kind << " of the module";
  if (found)
    diagnostic.attachNote(found->getLoc()) << "it is this";
  return failure();
}

/// Checks that `type` has the shape and element type of `declared`, and is contiguous when it is a memref.
static LogicalResult checkType(Operation *op, Type type, Type declared, Operation *declaration, StringRef what) {
  auto shaped = cast<ShapedType>(type), expected = cast<ShapedType>(declared);
  auto buffer = dyn_cast<MemRefType>(type);
  bool contiguous = !buffer || buffer.getLayout().isIdentity();
  Type element = buffer ? getBufferType(expected).getElementType() : expected.getElementType();
  if (contiguous && shaped.getShape() == expected.getShape() && shaped.getElementType() == element)
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError() << what << " is " << type << ", but was declared " << declared;
  diagnostic.attachNote(declaration->getLoc()) << "declared here";
  return diagnostic;
}

static LogicalResult checkOffset(Operation *op, int64_t offset) {
  if (offset >= 0 && offset % kBufferAlignment == 0)
    return success();
  return op->emitOpError() << "offset must be a multiple of " << kBufferAlignment << ", got " << offset;
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

void plumb::device::ModuleOp::build(OpBuilder &builder, OperationState &state, StringRef name) {
  state.getOrAddProperties<Properties>().sym_name = builder.getStringAttr(name);
  state.addRegion()->emplaceBlock();
}

LogicalResult plumb::device::ModuleOp::verifyRegions() { // module_c1
  llvm::StringMap<Operation *> seen;
  for (Operation &op : getBody().front()) {
    StringAttr name;
    if (auto loop = dyn_cast<LoopOp>(op))
      name = loop.getLoopNameAttr();
    else if (auto entry = dyn_cast<EntryOp>(op))
      name = entry.getLoopNameAttr();
    else
      continue;
    auto [it, inserted] = seen.try_emplace(name.getValue(), &op);
    if (!inserted) {
      InFlightDiagnostic diagnostic = op.emitOpError() << "carries the name of another loop: @" << name.getValue();
      diagnostic.attachNote(it->second->getLoc()) << "the other loop";
      return diagnostic;
    }
  }
  return success();
}

LogicalResult VariableOp::verify() {
  auto elements = dyn_cast<ElementsAttr>(getInitialValue());
  if (!isa<InitAttr>(getInitialValue()) && (!elements || elements.getShapedType() != getType())) // variable_c1
    return emitOpError() << "initial value must be #device.init or elements of type " << getType() << ", got "
                         << (elements ? Attribute(TypeAttr::get(elements.getShapedType())) : getInitialValue());
  return getOffset() ? checkOffset(*this, *getOffset()) : success(); // variable_c2
}

LogicalResult QueueOp::verify() {
  if (getColumns().size() != getTypes().size()) // queue_c1
    return emitOpError() << "has " << getColumns().size() << " column names for " << getTypes().size() << " types";
  if (getOffsets() && getOffsets()->size() != getTypes().size())
    return emitOpError() << "has " << getOffsets()->size() << " offsets for " << getTypes().size() << " columns";
  for (Type type : getTypes().getAsValueRange<TypeAttr>())
    if (!plumb::isTensorType(type)) // queue_c3
      return emitOpError() << "columns must be addressable, statically shaped tensors of numbers or booleans, got "
                           << type;
  if (getDepth() < 1 || getDepth() > 65536) // queue_c2
    return emitOpError() << "depth must be between 1 and 65536, got " << static_cast<int64_t>(getDepth());
  return success();
}

LogicalResult ReportOp::verify() { // report_c1
  if (getOffset() && static_cast<int64_t>(*getOffset()) < 8)
    return emitOpError() << "offset must be at least 8, got " << static_cast<int64_t>(*getOffset());
  Attribute range = (*this)->getAttr("device.range"); // report_c2
  if (!range)
    return success();
  auto entries = dyn_cast<DictionaryAttr>(range);
  if (!entries || !entries.getAs<IntegerAttr>("lowest") || !entries.getAs<IntegerAttr>("highest"))
    return emitOpError() << "needs a lowest and a highest integer in its device.range, got " << range;
  auto type = cast<RankedTensorType>(getType());
  if (type.getNumElements() != 1 || !type.getElementType().isSignlessInteger() || type.getElementTypeBitWidth() > 64)
    return emitOpError() << "has a device.range, so it must be one signless integer, got " << type;
  return success();
}

LogicalResult EntryOp::verifySymbolUses(SymbolTableCollection &tables) { // entry_c1
  if (getQueueAttr() && failed(lookup<QueueOp>(*this, getQueueAttr(), tables, "queue")))
    return failure();
  for (auto report : getReports().getAsRange<FlatSymbolRefAttr>())
    if (failed(lookup<ReportOp>(*this, report, tables, "report")))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

void LoopOp::build(OpBuilder &builder, OperationState &state, StringRef name, StringRef mode) {
  state.getOrAddProperties<Properties>().loop_name = builder.getStringAttr(name);
  state.getOrAddProperties<Properties>().mode = builder.getStringAttr(mode);
  ensureTerminator(*state.addRegion(), builder, state.location);
}

GetNextOp LoopOp::getGetNext() {
  auto ops = getBody().front().getOps<GetNextOp>();
  return ops.empty() ? GetNextOp() : *ops.begin();
}

LogicalResult LoopOp::verifyRegions() {
  if (!llvm::is_contained({"train", "eval", "predict"}, getMode())) // loop_c1
    return emitOpError() << "mode must be train, eval or predict, got '" << getMode() << "'";
  if (static_cast<int64_t>(getSinkSize()) < -1 || getSinkSize() == 0 ||
      static_cast<int64_t>(getEpochs()) < 1) // loop_c4
    return emitOpError() << "sink_size must be -1 or positive and epochs positive, got "
                         << static_cast<int64_t>(getSinkSize()) << " and " << static_cast<int64_t>(getEpochs());
  GetNextOp first;
  llvm::StringMap<EmitOp> emitted;
  for (Operation &op : getBody().front()) {
    if (auto next = dyn_cast<GetNextOp>(op)) { // loop_c2
      if (first)
        return (next.emitOpError() << "is the second of its loop").attachNote(first.getLoc()) << "the first";
      first = next;
    }
    auto emit = dyn_cast<EmitOp>(op);
    if (!emit)
      continue;
    auto [it, inserted] = emitted.try_emplace(emit.getReport(), emit);
    if (!inserted) // loop_c3
      return (emit.emitOpError() << "emits " << emit.getReportAttr() << " for the second time")
                 .attachNote(it->second.getLoc())
             << "the first time";
  }
  return success();
}

LogicalResult GetNextOp::verifySymbolUses(SymbolTableCollection &tables) { // get_next_c1
  FailureOr<QueueOp> queue = lookup<QueueOp>(*this, getQueueAttr(), tables, "queue");
  if (failed(queue))
    return failure();
  if (queue->getTypes().size() != getNumResults())
    return (emitOpError() << "yields " << getNumResults() << " values, but the queue has " << queue->getTypes().size()
                          << " columns")
               .attachNote(queue->getLoc())
           << "declared here";
  for (auto [result, type] : llvm::zip(getResultTypes(), queue->getTypes().getAsValueRange<TypeAttr>()))
    if (failed(checkType(*this, result, type, *queue, "column")))
      return failure();
  return success();
}

LogicalResult EmitOp::verifySymbolUses(SymbolTableCollection &tables) { // emit_c1
  FailureOr<ReportOp> report = lookup<ReportOp>(*this, getReportAttr(), tables, "report");
  if (failed(report))
    return failure();
  return checkType(*this, getValue().getType(), report->getType(), *report, "value");
}

LogicalResult PrintOp::verify() {
  if (getTexts().size() != getValues().size() + 1 || getTypes().size() != getValues().size()) // print_c1
    return emitOpError() << "has " << getTexts().size() << " texts and " << getTypes().size() << " types for "
                         << getValues().size() << " values";
  for (auto [value, type] : llvm::zip_equal(getValues(), getTypes().getAsValueRange<TypeAttr>())) {
    if (!plumb::isTensorType(type))
      return emitOpError() << "shows addressable tensors of numbers or booleans, got " << type;
    if (failed(checkType(*this, value.getType(), type, *this, "value")))
      return failure();
  }
  if (!(*this)->getParentOfType<LoopOp>()) // print_c2
    return emitOpError() << "stands outside of a device.loop";
  auto isHeader = [](int64_t offset) { return offset < 16; };
  if (getOffsets() && (getOffsets()->size() != getValues().size() || llvm::any_of(*getOffsets(), isHeader))) // print_c3
    return emitOpError() << "needs an offset of at least 16 for each of " << getValues().size() << " values, got ["
                         << *getOffsets() << "]";
  return success();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Checks `type` against the variable that `op` names.
static LogicalResult checkVariable(Operation *op, FlatSymbolRefAttr name, Type type, SymbolTableCollection &tables) {
  FailureOr<VariableOp> variable = lookup<VariableOp>(op, name, tables, "variable");
  if (failed(variable))
    return failure();
  return checkType(op, type, variable->getType(), *variable, "value");
}

LogicalResult ReadOp::verifySymbolUses(SymbolTableCollection &tables) { // read_c1
  return checkVariable(*this, getVariableAttr(), getValue().getType(), tables);
}

LogicalResult WriteOp::verifySymbolUses(SymbolTableCollection &tables) { // write_c1
  return checkVariable(*this, getVariableAttr(), getValue().getType(), tables);
}

LogicalResult VariableViewOp::verifySymbolUses(SymbolTableCollection &tables) { // variable_view_c1
  return checkVariable(*this, getVariableAttr(), getBuffer().getType(), tables);
}

LogicalResult ArenaViewOp::verify() {
  auto type = cast<MemRefType>(getBuffer().getType());
  if (!type.getLayout().isIdentity()) // arena_view_c2
    return emitOpError() << "must be contiguous, got " << type;
  if (failed(checkOffset(*this, getOffset()))) // arena_view_c1
    return failure();
  auto module = (*this)->getParentOfType<plumb::device::ModuleOp>();
  if (!module || !module.getArenaBytes())
    return success();
  uint64_t end = getOffset() + uint64_t(getByteSize(type)), bytes = *module.getArenaBytes();
  if (end <= bytes) // arena_view_c3
    return success();
  return (emitOpError() << "ends at byte " << end << " of an arena of " << bytes << " bytes")
             .attachNote(module.getLoc())
         << "the arena's module";
}

void HaloOp::build(OpBuilder &builder, OperationState &state, Value source, ArrayRef<int64_t> low,
                   ArrayRef<int64_t> high) {
  build(builder, state, getPaddedType(cast<MemRefType>(source.getType()), low, high), source, low, high);
}

Value HaloOp::getViewSource() { return getSource(); }

MemRefType HaloOp::getPaddedType(MemRefType source, ArrayRef<int64_t> low, ArrayRef<int64_t> high) {
  SmallVector<int64_t> shape, strides;
  int64_t offset;
  for (auto [extent, before, behind] : llvm::zip_equal(source.getShape(), low, high))
    shape.push_back(before + extent + behind);
  if (failed(source.getStridesAndOffset(strides, offset)))
    return {};
  auto layout = StridedLayoutAttr::get(source.getContext(), offset, strides);
  return MemRefType::get(shape, source.getElementType(), layout, source.getMemorySpace());
}

LogicalResult HaloOp::verify() {
  auto source = cast<MemRefType>(getSource().getType());
  auto isNegative = [](int64_t number) { return number < 0; };
  for (ArrayRef<int64_t> pads : {getLow(), getHigh()}) // halo_c1
    if (static_cast<int64_t>(pads.size()) != source.getRank() || llvm::any_of(pads, isNegative))
      return emitOpError() << "needs a number of at least zero for each of " << source.getRank() << " axes, got ["
                           << pads << "]";
  MemRefType expected = getPaddedType(source, getLow(), getHigh());
  if (expected == getResult().getType()) // halo_c2
    return success();
  return emitOpError() << "result must be " << expected << ", got " << getResult().getType();
}
