// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits copies of inputs into panels. A copy is a linalg operation on views, which VectorizeElementwise turns into
// vectors.

#include "compiler/codegen/cpu/emit/Emitter.h"
#include "compiler/codegen/cpu/plan/PanelLayout.h"

#include "dialects/device/ir/Device.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace plumb;

/// Allocates a panel on the stack of the function around `builder`.
static Value allocatePanel(ImplicitLocOpBuilder &builder, int64_t elements, Type element) {
  OpBuilder::InsertionGuard guard(builder);
  Operation *parent = builder.getInsertionBlock()->getParentOp();
  if (!isa<FunctionOpInterface>(parent))
    parent = parent->getParentOfType<FunctionOpInterface>();
  builder.setInsertionPointToStart(&cast<FunctionOpInterface>(parent).getFunctionBody().front());
  return memref::AllocaOp::create(builder, MemRefType::get({elements}, element),
                                  builder.getI64IntegerAttr(device::kBufferAlignment));
}

namespace {
/// One loop of a copy.
struct CopyLoop {
  int64_t size, from, to;
};
} // namespace

/// A one-dimensional view of the elements that `loops` access from the position `from` on.
static Value viewSource(ImplicitLocOpBuilder &builder, Value flat, Position from, ArrayRef<CopyLoop> loops) {
  int64_t span = 1;
  for (const CopyLoop &loop : loops)
    span += (loop.size - 1) * loop.from;
  OpFoldResult size = builder.getIndexAttr(span);
  return memref::SubViewOp::create(builder, flat, OpFoldResult(from.materialize(builder)), size,
                                   OpFoldResult(builder.getIndexAttr(1)));
}

/// A view of the panel from the offset `to` on, with one dimension per loop.
static Value viewPanel(ImplicitLocOpBuilder &builder, Value flat, int64_t to, ArrayRef<CopyLoop> loops) {
  SmallVector<int64_t> sizes, strides;
  for (const CopyLoop &loop : loops) {
    sizes.push_back(loop.size);
    strides.push_back(loop.to);
  }
  auto layout = StridedLayoutAttr::get(builder.getContext(), to, strides);
  Type element = cast<MemRefType>(flat.getType()).getElementType();
  return memref::ReinterpretCastOp::create(builder, MemRefType::get(sizes, element, layout), flat, to, sizes, strides);
}

/// Emits one copy: a loop per dimension; the source's index is a sum over all of them.
static void emitCopy(ImplicitLocOpBuilder &builder, Value source, Position from, Value panel, int64_t to,
                     ArrayRef<CopyLoop> loops) {
  AffineExpr index = builder.getAffineConstantExpr(0);
  for (auto [number, loop] : llvm::enumerate(loops))
    index = index + builder.getAffineDimExpr(number) * loop.from;
  SmallVector<AffineMap> maps{AffineMap::get(loops.size(), 0, index), builder.getMultiDimIdentityMap(loops.size())};
  SmallVector<utils::IteratorType> kinds(loops.size(), utils::IteratorType::parallel);
  linalg::GenericOp::create(builder, TypeRange(), viewSource(builder, source, from, loops),
                            viewPanel(builder, panel, to, loops), maps, kinds,
                            [](OpBuilder &inner, Location location, ValueRange values) {
                              linalg::YieldOp::create(inner, location, values[0]);
                            });
}

/// Copies the part of `operand` that the loops from here on read, and redirects their accesses to the panel.
void Emitter::pack(unsigned operand, Point &point) {
  PanelLayout layout = PanelLayout::get(nest, plan, operand, extents);
  FlatOperand source = flatOperands[operand];
  Type element = cast<MemRefType>(source.flat.getType()).getElementType();
  FlatOperand panel{allocatePanel(builder, layout.elements, element), layout.outer, layout.inner};
  copyPanelPart(source, panel, point.operands[operand], 0, extents);
  flatOperands[operand] = panel;
  point.operands[operand] = Position{};
}

/// Copies full tiles and, separately, the remainder of each loop.
void Emitter::copyPanelPart(const FlatOperand &source, const FlatOperand &panel, Position from, int64_t to,
                            ArrayRef<int64_t> extents) {
  SmallVector<CopyLoop> loops;
  for (unsigned loop = 0; loop < nest.loops(); ++loop) {
    if (source.outer[loop] == 0)
      continue;
    int64_t held = getTileStep(plan, loop), extent = extents[loop];
    int64_t left = extent % held;
    if (extent > held && left != 0 && panel.inner[loop] != panel.outer[loop]) {
      SmallVector<int64_t> rest(extents), whole(extents);
      rest[loop] = left;
      whole[loop] = extent - left;
      copyPanelPart(source, panel, from, to, whole);
      from.constant += whole[loop] * source.outer[loop];
      to += whole[loop] * panel.outer[loop];
      return copyPanelPart(source, panel, from, to, rest);
    }
    if (extent > held && panel.inner[loop] != panel.outer[loop]) {
      loops.push_back({extent / held, source.outer[loop] * held, panel.outer[loop] * held});
      extent = held;
    }
    loops.push_back({extent, source.outer[loop], panel.inner[loop]});
  }
  llvm::sort(loops, [](const CopyLoop &a, const CopyLoop &b) { return a.to > b.to; });
  emitCopy(builder, source.flat, from, panel.flat, to, loops);
}
