// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cuts a loop's step into functions, one kernel each, before code is made of
// it. LLVM's work grows faster than its functions do: register allocation and
// loop strength reduction look at the whole of a function at once, and what is
// invariant in the step's loop would be carried over all of its kernels. Equal
// kernels become one function: buffers are arguments, so a network's repeated
// blocks are compiled once.
//
// A kernel is an operation with the fills, copies and transposes right before
// it, since the emitters take those along, and with what FuseEpilogues marked
// behind it. Other shapes of its buffers are made inside. Each argument says whether its bytes
// are its own (`llvm.noalias`), which the buffers' places tell. Covered by
// outline_kernels.mlir.

#include "compiler/codegen/common/Passes.h"
#include "compiler/codegen/common/Places.h"
#include "compiler/support/UsedValues.h"

#include "dialects/device/ir/Device.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

#include <limits>

#define DEBUG_TYPE "plumb-outline-kernels"

namespace plumb {
#define GEN_PASS_DEF_OUTLINEKERNELSPASS
#include "compiler/codegen/common/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

namespace {

/// Neighbouring operations that become one function.
using Kernel = SmallVector<Operation *>;

/// Outlines the kernels of one device module.
class Outliner {
public:
  explicit Outliner(device::ModuleOp module) : module(module) {}

  /// Outlines all kernels in `block`.
  void run(Block &block);

private:
  void outline(const Kernel &kernel);
  func::FuncOp build(const Kernel &kernel, ArrayRef<Value> arguments,
                     ArrayRef<Operation *> inside);
  func::FuncOp findEqual(func::FuncOp function);

  device::ModuleOp module;
  llvm::StringMap<func::FuncOp> functions;
};

} // namespace

/// Whether the emitters may merge `op` into the operation after it.
static bool leadsUp(Operation *op) {
  return isa<linalg::FillOp, linalg::CopyOp, linalg::TransposeOp>(op);
}

/// Whether `op` is done in the end of the operation before it.
static bool isEpilogue(Operation *op) { return op->hasAttr("device.epilogue"); }

/// The kernels of a block, in order.
static SmallVector<Kernel> findKernels(Block &block) {
  SmallVector<Kernel> kernels(1);
  for (Operation &op : block) {
    if (isMemoryEffectFree(&op))
      continue;
    Kernel &last = kernels.back();
    bool joins = isa<linalg::LinalgOp>(op) && !last.empty() &&
                 (isEpilogue(&op) ||
                  (leadsUp(last.back()) && !isEpilogue(last.back())));
    if (!joins && !last.empty())
      kernels.emplace_back();
    if (isa<linalg::LinalgOp>(op))
      kernels.back().push_back(&op);
  }
  return kernels;
}

/// Whether `type` can be an argument that is one pointer or one number.
static bool isPlain(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return type.isIntOrIndexOrFloat();
  SmallVector<int64_t> strides;
  int64_t offset;
  return memref.hasStaticShape() &&
         succeeded(memref.getStridesAndOffset(strides, offset)) &&
         !ShapedType::isDynamic(offset) &&
         !llvm::any_of(strides, ShapedType::isDynamic);
}

/// Whether the emitters may assume that argument `number` is met by no other.
static bool isAlone(ArrayRef<Value> arguments, unsigned number) {
  if (!isa<MemRefType>(arguments[number].getType()))
    return false;
  for (auto [other, value] : llvm::enumerate(arguments))
    if (other != number && isa<MemRefType>(value.getType()) &&
        !areApart(arguments[number], value))
      return false;
  return true;
}

/// A function with `inside` and the kernel's operations, not yet in the module.
func::FuncOp Outliner::build(const Kernel &kernel, ArrayRef<Value> arguments,
                             ArrayRef<Operation *> inside) {
  Location location = kernel.back()->getLoc();
  auto type = FunctionType::get(
      module.getContext(), llvm::to_vector(ValueRange(arguments).getTypes()), {});
  auto function = func::FuncOp::create(location, "kernel", type);
  function.setPrivate();
  function->setAttr("llvm.linkage",
                    LLVM::LinkageAttr::get(module.getContext(),
                                           LLVM::Linkage::Internal));
  Block *block = function.addEntryBlock();
  OpBuilder builder = OpBuilder::atBlockEnd(block);
  IRMapping mapping;
  mapping.map(ValueRange(arguments), block->getArguments());
  for (unsigned number = 0; number < arguments.size(); ++number)
    if (isAlone(arguments, number))
      function.setArgAttr(number, LLVM::LLVMDialect::getNoAliasAttrName(),
                          builder.getUnitAttr());
  for (Operation *op : inside)
    builder.clone(*op, mapping);
  for (Operation *op : kernel)
    builder.clone(*op, mapping);
  func::ReturnOp::create(builder, location);
  return function;
}

/// The function in the module that does what `function` does, or `function`
/// itself, which is then in the module.
func::FuncOp Outliner::findEqual(func::FuncOp function) {
  std::string text;
  llvm::raw_string_ostream os(text);
  // Whatever the command line says about how IR is shown: all elements, no places.
  constexpr int64_t all = std::numeric_limits<int64_t>::max();
  function->print(os, OpPrintingFlags().useLocalScope().enableDebugInfo(false).elideLargeElementsAttrs(all));
  auto [place, isNew] = functions.try_emplace(text, function);
  if (!isNew) {
    function.erase();
    return place->second;
  }
  function.setName(("plumb_kernel_" + Twine(functions.size() - 1)).str());
  SymbolTable(module).insert(function);
  return function;
}

/// Adds what the kernel needs for `value`: an argument, or an operation inside.
/// Fails where an argument cannot be it.
static LogicalResult collect(Value value, llvm::SetVector<Value> &arguments,
                             llvm::SetVector<Operation *> &inside) {
  Operation *definition = value.getDefiningOp();
  if (getReshaped(value) != value || isa_and_nonnull<device::HaloOp>(definition)) {
    if (failed(collect(definition->getOperand(0), arguments, inside)))
      return failure();
    inside.insert(definition);
    return success();
  }
  if (definition && definition->hasTrait<OpTrait::ConstantLike>())
    inside.insert(definition);
  else
    arguments.insert(value);
  return success(inside.contains(definition) || isPlain(value.getType()));
}

/// Moves one kernel out, unless it needs what an argument cannot be.
void Outliner::outline(const Kernel &kernel) {
  llvm::SetVector<Value> arguments;
  llvm::SetVector<Operation *> inside;
  for (Operation *op : kernel)
    for (Value value : getUsedValues(op))
      if (failed(collect(value, arguments, inside)))
        return;
  func::FuncOp function = findEqual(
      build(kernel, arguments.getArrayRef(), inside.getArrayRef()));
  OpBuilder builder(kernel.back());
  func::CallOp::create(builder, kernel.back()->getLoc(), function,
                       arguments.getArrayRef());
  for (Operation *op : kernel)
    op->erase();
}

void Outliner::run(Block &block) {
  for (const Kernel &kernel : findKernels(block))
    if (!kernel.empty())
      outline(kernel);
}

namespace {
struct OutlineKernels
    : plumb::impl::OutlineKernelsPassBase<OutlineKernels> {
  void runOnOperation() override {
    for (auto module : getOperation().getOps<device::ModuleOp>()) {
      SmallVector<Block *> blocks;
      for (auto loop : module.getBody().getOps<device::LoopOp>())
        loop.walk<WalkOrder::PreOrder>([&](Block *block) {
          if (!isa<linalg::LinalgOp>(block->getParentOp()))
            blocks.push_back(block);
        });
      Outliner outliner(module);
      for (Block *block : blocks)
        outliner.run(*block);
    }
  }
};
} // namespace
