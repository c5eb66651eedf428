// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of sharing memory between two cores. A line that one core wrote is slow to read on the other one, and a line
// that the other core holds is slow to write. So kernels with small operands gain from partitions that give each thread
// the same part of the data in kernel after kernel, and lose from others; some are faster on one thread.
//
// The model replays a step, which repeats, buffer by buffer: each access finds the lines in the caches where earlier
// accesses left them.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_COST_SHARINGMODEL_H
#define PLUMB_COMPILER_CODEGEN_CPU_COST_SHARINGMODEL_H

#include "compiler/target/CpuTarget.h"

#include "mlir/IR/Value.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"

namespace plumb {

/// The bytes of a buffer that each of two threads accesses: the first thread all of them, both all of them, or each a
/// half.
struct BufferShare {
  enum Kind { First, Both, Halves } kind = First;
  /// For halves: bytes after which the threads alternate; zero where each accesses one contiguous half.
  int64_t stride = 0;

  static BufferShare getBoth() { return {Both, 0}; }
  static BufferShare getHalves(int64_t stride, bool isInRows) { return {Halves, isInRows ? 0 : stride}; }
  bool operator==(const BufferShare &other) const { return kind == other.kind && stride == other.stride; }
};

/// By argument of a kernel.
using BufferShares = llvm::SmallVector<BufferShare>;

/// Cycles of moving lines between two cores during a step. The sections of kernels are numbered.
class SharingModel {
public:
  explicit SharingModel(const CpuTarget &target);

  /// Cycles of two threads that each need a half of `bytes` from the other core.
  static double getMoveCycles(int64_t bytes, const MachineModel &machine);

  /// Appends an access: argument `argument` of `section` is `buffer`.
  void addAccess(unsigned section, unsigned argument, mlir::Value buffer, bool reads, bool writes);

  /// Sets which thread accesses which part of the arguments of `section`; null where one thread runs it.
  void setShares(unsigned section, const BufferShares *shares);

  /// Cycles per step for the buffers that `section` accesses, or for all.
  double getCycles(unsigned section) const;
  double getCycles() const;

private:
  struct Access {
    unsigned section, argument;
    bool reads, writes;
    /// Bytes that a core has accessed in the step before this access.
    double time;
  };
  struct Buffer {
    int64_t bytes = 0;
    llvm::SmallVector<Access> accesses;
  };
  class Replay;

  double getCycles(const Buffer &buffer) const;
  BufferShare getShare(const Access &access) const;

  const MachineModel &machine;
  /// Bytes that a core's own caches hold, and bytes that a step accesses.
  double held, stepBytes = 0;
  llvm::MapVector<std::pair<const void *, int64_t>, Buffer> buffers;
  /// By section: its buffers, and the shares of its arguments.
  llvm::SmallVector<llvm::SmallVector<unsigned>> accessed;
  llvm::SmallVector<const BufferShares *> shares;
};

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_COST_SHARINGMODEL_H
