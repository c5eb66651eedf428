// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads of a kernel's operands. Equal loads are shared as long as the first one dominates the code, which is one
// iteration of the innermost loop or one epilogue: so overlapping windows load each vector once.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_EMIT_VECTORLOADS_H
#define PLUMB_COMPILER_CODEGEN_CPU_EMIT_VECTORLOADS_H

#include "compiler/codegen/cpu/emit/KernelState.h"

#include <map>

namespace plumb {

class VectorLoads {
public:
  explicit VectorLoads(KernelState &state) : state(state) {}

  /// Must be called where earlier loads do not dominate the code that follows.
  void clear() { loaded.clear(); }
  /// The same, if the insertion point is in another block than at the last call.
  void enterBlock();

  /// The vector of `width` lanes of `operand` at `position`, or the operand itself if it is a scalar.
  mlir::Value load(unsigned operand, Position position, int64_t width);
  /// Loads a square of an operand that is contiguous along the tiled loop, row by row, and transposes it in registers.
  /// Later calls of `load` find its columns.
  void loadTransposed(const Point &point, unsigned operand, int64_t width);

private:
  KernelState &state;
  /// By operand, position and lanes.
  std::map<std::tuple<unsigned, const void *, int64_t, int64_t>, mlir::Value> loaded;
  mlir::Block *block = nullptr;
};

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_EMIT_VECTORLOADS_H
