// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What it costs two cores to work on the same memory. A line that one of them wrote
// comes slowly to the other one, and a line that the other one has is slow to write.
// So kernels whose operands are small gain by cuts that leave each thread its part of
// the data from kernel to kernel, and lose by others; some are best left to one thread.
//
// The model replays a step, which repeats, buffer by buffer: each access finds what
// the accesses before it have left to the two cores.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_SHARINGMODEL_H
#define PLUMB_COMPILER_CODEGEN_CPU_SHARINGMODEL_H

#include "compiler/codegen/common/CpuTarget.h"

#include "mlir/IR/Value.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"

namespace plumb {

/// Which of two threads touches which bytes of a buffer: the first one all of them,
/// both all of them, or each a half.
struct BufferShare {
  enum Kind { First, Both, Halves } kind = First;
  /// Of halves: bytes after which the two threads take turns again; zero where each
  /// has one half of the buffer.
  int64_t stride = 0;

  static BufferShare getBoth() { return {Both, 0}; }
  static BufferShare getHalves(int64_t stride, bool isInRows) {
    return {Halves, isInRows ? 0 : stride};
  }
  bool operator==(const BufferShare &other) const {
    return kind == other.kind && stride == other.stride;
  }
};

/// By argument of a kernel.
using BufferShares = llvm::SmallVector<BufferShare>;

/// Prices what moves between two cores in a step. The pieces of kernels are numbered.
class SharingModel {
public:
  explicit SharingModel(const CpuTarget &target);

  /// Cycles of two threads that each need a half of `bytes` from the other's core.
  static double getMoveCycles(int64_t bytes);

  /// Argument `argument` of `piece`, which is `buffer`, is what is touched next.
  void addAccess(unsigned piece, unsigned argument, mlir::Value buffer,
                 bool reads, bool writes);

  /// Says who touches the arguments of `piece`; null where one thread does.
  void setShares(unsigned piece, const BufferShares *shares);

  /// Cycles of a step for the buffers that `piece` touches; of all.
  double price(unsigned piece) const;
  double price() const;

private:
  struct Access {
    unsigned piece, argument;
    bool reads, writes;
    /// Bytes that a core has touched in the step before.
    double time;
  };
  struct Buffer {
    int64_t bytes = 0;
    llvm::SmallVector<Access> accesses;
  };
  class Replay;

  double price(const Buffer &buffer) const;
  BufferShare getShare(const Access &access) const;

  /// Bytes that a core's own caches hold, and that a step touches.
  double held, stepBytes = 0;
  llvm::MapVector<std::pair<const void *, int64_t>, Buffer> buffers;
  /// By piece: its buffers, and who touches its arguments.
  llvm::SmallVector<llvm::SmallVector<unsigned>> touched;
  llvm::SmallVector<const BufferShares *> shares;
};

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_SHARINGMODEL_H
