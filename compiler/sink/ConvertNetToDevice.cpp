// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns the entries of a program and its parameters into one device module.
//
// Loops come first: each entry's function is copied into a loop, reads and assigns become reads and writes of variables
// not yet declared, and what the loop needs declared (queue, reports) is declared before it. Then the variables that
// some loop names are declared, and the trainable ones, in the order of the parameters. What described the program for
// the host (cells, functions, entries) goes.
//
// A print stays where it is, in a branch or a loop of the step: it prints each time that it is executed.
//
// Tests: test/compiler/sink/convert_net_to_device*.mlir

#include "compiler/sink/Passes.h"
#include "dialects/device/ir/Device.h"
#include "dialects/net/ir/NetModuleOps.h"
#include "dialects/net/ir/NetStateOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/StringSet.h"

namespace plumb {
#define GEN_PASS_DEF_CONVERTNETTODEVICEPASS
#include "compiler/sink/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

/// Batches a queue holds when the program does not say, and what they may take as long as they are not the fewest.
static constexpr int64_t kMaxBatches = 16, kMinBatches = 4, kWaitingBytes = int64_t{4} << 20;

/// Steps of large batches are long: a few of them outlast any delay of what prepares the next one.
static int64_t getDefaultDepth(ArrayRef<Type> columns) {
  int64_t bytes = 1;
  for (Type column : columns)
    if (auto type = dyn_cast<ShapedType>(column); type && type.hasStaticShape() && type.getElementType().isIntOrFloat())
      bytes += type.getNumElements() * type.getElementTypeBitWidth() / 8;
  return std::clamp(kWaitingBytes / bytes, kMinBatches, kMaxBatches);
}

namespace {

/// Builds the device module of one program.
class DeviceBuilder {
public:
  DeviceBuilder(ModuleOp program, StringRef name)
      : program(program), builder(OpBuilder::atBlockEnd(program.getBody())),
        module(device::ModuleOp::create(builder, program.getLoc(), name)) {
    if (Attribute seed = program->removeAttr("net.seed"))
      module->setAttr("device.seed", seed);
    for (auto parameter : program.getOps<net::ParameterOp>())
      names.insert(parameter.getSymName());
  }

  LogicalResult addLoop(net::EntryOp entry);
  void addVariables();

private:
  LogicalResult checkCallee(net::EntryOp entry, func::FuncOp function);
  SmallVector<Value> pullBatch(net::EntryOp entry, device::LoopOp loop);
  void convertState(device::LoopOp loop);
  void emit(device::LoopOp loop, OpBuilder &inside, Location loc, StringRef name, Value value);
  std::string uniqueName(StringRef name, StringRef loop);

  ModuleOp program;
  OpBuilder builder;
  device::ModuleOp module;
  llvm::StringSet<> names; // of all declarations
  llvm::StringSet<> used;  // parameters that some loop reads or writes
};

} // namespace

/// A name that no declaration carries: as it is, behind the loop's, or numbered.
std::string DeviceBuilder::uniqueName(StringRef name, StringRef loop) {
  if (names.insert(name).second)
    return name.str();
  std::string candidate = (loop + "." + name).str();
  for (unsigned number = 1; !names.insert(candidate).second; ++number)
    candidate = (loop + "." + name + "." + Twine(number)).str();
  return candidate;
}

/// The function that an entry runs, as a step must be: defined, on tensors, with the entry's inputs.
LogicalResult DeviceBuilder::checkCallee(net::EntryOp entry, func::FuncOp function) {
  if (!function || function.isExternal())
    return entry.emitOpError() << "calls " << entry.getCallee() << ", which is no function of the program";
  SmallVector<Type> inputs = entry.getInputs();
  if (!llvm::equal(function.getArgumentTypes(), inputs)) {
    InFlightDiagnostic diagnostic = entry.emitOpError() << "has other inputs than its function";
    diagnostic.attachNote(function.getLoc()) << "the function takes " << function.getArgumentTypes();
    return diagnostic;
  }
  if (!function.getBody().hasOneBlock())
    return function.emitOpError() << "has unstructured control flow; a step is one block";
  return success();
}

LogicalResult DeviceBuilder::addLoop(net::EntryOp entry) {
  auto callee = dyn_cast<FlatSymbolRefAttr>(entry.getCallee());
  auto function = callee ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(entry, callee) : func::FuncOp();
  if (failed(checkCallee(entry, function)))
    return failure();
  builder.setInsertionPointToEnd(&module.getBody().front());
  auto loop = device::LoopOp::create(builder, entry.getLoc(), entry.getSymName(), entry.getMode().value_or("train"));
  if (auto size = entry.getSinkSizeAttr())
    loop.setSinkSizeAttr(size);
  if (auto epochs = entry.getEpochsAttr())
    loop.setEpochsAttr(epochs);

  IRMapping values;
  values.map(function.getArguments(), pullBatch(entry, loop));
  OpBuilder inside(loop.getBody().front().getTerminator());
  for (Operation &op : function.getBody().front().without_terminator())
    inside.clone(op, values);
  Operation *result = function.getBody().front().getTerminator();
  ArrayRef<Attribute> reports = entry.getReportsAttr() ? entry.getReportsAttr().getValue() : ArrayRef<Attribute>();
  for (auto [number, value] : llvm::enumerate(result->getOperands())) {
    std::string name = number < reports.size() ? cast<StringAttr>(reports[number]).str()
                       : number == 0           ? "output"
                                               : "output" + std::to_string(number);
    emit(loop, inside, entry.getLoc(), name, values.lookup(value));
  }
  convertState(loop);
  return success();
}

/// Declares the entry's queue and pulls a batch at the head of the step. An entry without inputs has no queue.
SmallVector<Value> DeviceBuilder::pullBatch(net::EntryOp entry, device::LoopOp loop) {
  SmallVector<Type> types = entry.getInputs();
  if (types.empty())
    return {};
  SmallVector<Attribute> columns;
  for (size_t number = 0; number < types.size(); ++number)
    columns.push_back(builder.getStringAttr("arg" + Twine(number)));
  ArrayAttr names = entry.getColumnsAttr() ? entry.getColumnsAttr() : builder.getArrayAttr(columns);
  std::string name = uniqueName(entry.getQueue().value_or(entry.getSymName()), entry.getSymName());
  builder.setInsertionPoint(loop);
  int64_t depth = entry.getDepth() ? *entry.getDepth() : getDefaultDepth(types);
  auto queue = device::QueueOp::create(builder, entry.getLoc(), builder.getStringAttr(name), names,
                                       builder.getTypeArrayAttr(types), builder.getI64IntegerAttr(depth),
                                       entry.getPipelineAttr(), DenseI64ArrayAttr(), IntegerAttr());
  if (Attribute arrays = entry->getAttr("net.arrays"))
    queue->setAttr("device.arrays", arrays);
  OpBuilder inside = OpBuilder::atBlockBegin(&loop.getBody().front());
  auto next =
      device::GetNextOp::create(inside, entry.getLoc(), types, FlatSymbolRefAttr::get(builder.getContext(), name));
  return SmallVector<Value>(next.getBatch());
}

/// Declares a report and emits `value` to it.
void DeviceBuilder::emit(device::LoopOp loop, OpBuilder &inside, Location loc, StringRef name, Value value) {
  std::string unique = uniqueName(name, loop.getLoopName());
  builder.setInsertionPoint(loop);
  device::ReportOp::create(builder, loc, builder.getStringAttr(unique), TypeAttr::get(value.getType()), IntegerAttr());
  device::EmitOp::create(inside, loc, FlatSymbolRefAttr::get(builder.getContext(), unique), value);
}

/// Prints with a line's end behind the text, as Python's `print` does.
static void convertPrint(OpBuilder &builder, net::PrintOp print) {
  SmallVector<std::string> texts = print.getTexts();
  texts.back() += "\n";
  auto views = llvm::map_to_vector(texts, [](const std::string &text) { return StringRef(text); });
  device::PrintOp::create(builder, print.getLoc(), builder.getStrArrayAttr(views),
                          builder.getTypeArrayAttr(llvm::to_vector(print.getValues().getTypes())), DenseI64ArrayAttr(),
                          print.getValues());
}

/// Parameters are variables now, and prints are the device's.
void DeviceBuilder::convertState(device::LoopOp loop) {
  SmallVector<Operation *> effects;
  loop.walk([&](Operation *op) {
    if (isa<net::ReadOp, net::AssignOp, net::PrintOp>(op))
      effects.push_back(op);
  });
  for (Operation *op : effects) {
    OpBuilder inside(op);
    if (auto read = dyn_cast<net::ReadOp>(op)) {
      used.insert(read.getParameter());
      auto value = device::ReadOp::create(inside, op->getLoc(), read.getValue().getType(), read.getParameterAttr());
      read.getValue().replaceAllUsesWith(value.getValue());
    } else if (auto assign = dyn_cast<net::AssignOp>(op)) {
      used.insert(assign.getParameter());
      device::WriteOp::create(inside, op->getLoc(), assign.getParameterAttr(), assign.getValue());
    } else {
      convertPrint(inside, cast<net::PrintOp>(op));
    }
    op->erase();
  }
}

/// Declares the variables in front of everything else.
void DeviceBuilder::addVariables() {
  builder.setInsertionPointToStart(&module.getBody().front());
  for (auto parameter : program.getOps<net::ParameterOp>()) {
    if (!used.contains(parameter.getSymName()) && !parameter.getRequiresGrad())
      continue;
    Attribute value = parameter.getInit();
    if (auto init = dyn_cast<net::InitAttr>(value))
      value = device::InitAttr::get(builder.getContext(), init.getKind(), init.getParameters(), init.getStream());
    device::VariableOp::create(builder, parameter.getLoc(), parameter.getSymNameAttr(), parameter.getTypeAttr(), value,
                               builder.getBoolAttr(parameter.getRequiresGrad()), IntegerAttr());
  }
}

namespace {

struct ConvertNetToDevicePass : public plumb::impl::ConvertNetToDevicePassBase<ConvertNetToDevicePass> {
  void runOnOperation() override {
    ModuleOp program = getOperation();
    SmallVector<net::EntryOp> entries(program.getOps<net::EntryOp>());
    if (entries.empty()) {
      if (program.getOps<device::ModuleOp>().empty()) {
        program.emitError() << "the program has no entry: nothing says what to run on the device";
        signalPassFailure();
      }
      return;
    }
    StringRef name = program.getSymName().value_or(entries.front().getSymName());
    DeviceBuilder device(program, name);
    for (net::EntryOp entry : entries)
      if (failed(device.addLoop(entry)))
        return signalPassFailure();
    device.addVariables();
    for (Operation &op : llvm::make_early_inc_range(*program.getBody()))
      if (!isa<device::ModuleOp>(op))
        op.erase();
  }
};

} // namespace
