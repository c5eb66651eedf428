// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits the epilogue of a kernel on the accumulators of a register tile. EmitFolds.cpp holds operations that reduce
// results in memory.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_EMIT_EPILOGUEEMITTER_H
#define PLUMB_COMPILER_CODEGEN_CPU_EMIT_EPILOGUEEMITTER_H

#include "compiler/codegen/cpu/emit/VectorBody.h"
#include "compiler/codegen/cpu/emit/VectorLoads.h"
#include "compiler/codegen/cpu/plan/Epilogue.h"

namespace plumb {

class EpilogueEmitter {
public:
  EpilogueEmitter(KernelState &state, VectorLoads &loads, const Epilogue &epilogue);

  bool isEmpty() const { return epilogue.ops.empty(); }
  /// Adds the operands of the epilogue, and their positions at iteration zero.
  void addOperands(Point &point);
  /// Runs the epilogue on `accumulators` and stores the results that later operations read.
  void emit(const Point &point, llvm::ArrayRef<mlir::Value> accumulators);

private:
  bool beginsWindow(const AccumulatorSlot &slot) const;
  mlir::Value loadResult(unsigned access, const Point &at, const AccumulatorSlot &slot);
  void storeResult(unsigned number, mlir::Value value, const Point &at, const AccumulatorSlot &slot);
  llvm::SmallVector<mlir::Value> runBody(unsigned number, unsigned slot, unsigned element,
                                         llvm::ArrayRef<int64_t> indices, const Point &at,
                                         llvm::ArrayRef<mlir::Value> results);
  llvm::SmallVector<mlir::Value> emitOp(unsigned number, unsigned slot, const Point &at);
  void forEachWindowElement(const EpilogueOp &fused, unsigned slot,
                            llvm::function_ref<void(unsigned, llvm::ArrayRef<int64_t>)> visit);
  void emitFold(unsigned number, const Point &point);

  KernelState &state;
  VectorLoads &loads;
  mlir::ImplicitLocOpBuilder &builder;
  const LinearNest &nest;
  const KernelPlan &plan;
  const Epilogue &epilogue;
  /// By operation of the epilogue: its body, and the initial values of its results.
  llvm::SmallVector<VectorBody, 0> bodies;
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> starts;
  /// By value of the epilogue and by slot: the vector in a register.
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> values;
};

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_EMIT_EPILOGUEEMITTER_H
