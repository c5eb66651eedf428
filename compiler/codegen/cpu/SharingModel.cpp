// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replays a step's accesses to each buffer.

#include "compiler/codegen/cpu/SharingModel.h"

#include "compiler/codegen/common/Places.h"

#include "dialects/device/ir/Device.h"

using namespace mlir;
using namespace plumb;

/// Cycles until a core has a line of the other one, one after the other; and if they
/// are so many that it is walked in order for long, and they are seen coming.
constexpr double kLineCycles = 20, kStreamedLineCycles = 5;
constexpr int64_t kStreamedBytes = 512 << 10;

SharingModel::SharingModel(const CpuTarget &target) {
  held = double(target.caches.back().bytes());
}

double SharingModel::getMoveCycles(int64_t bytes) {
  double cycles = bytes < kStreamedBytes ? kLineCycles : kStreamedLineCycles;
  return double(bytes) / kLineBytes / 2 * cycles;
}

/// What tells a buffer from others: a place in the arena, a variable, a value.
static std::pair<const void *, int64_t> getPlace(Value root) {
  if (auto view = root.getDefiningOp<device::ArenaViewOp>())
    return {nullptr, view.getOffset()};
  if (auto view = root.getDefiningOp<device::VariableViewOp>())
    return {view.getVariableAttr().getAttr().getAsOpaquePointer(), 0};
  return {root.getAsOpaquePointer(), 0};
}

void SharingModel::addAccess(unsigned piece, unsigned argument, Value buffer,
                             bool reads, bool writes) {
  auto place = getPlace(getRoot(buffer));
  int64_t bytes = device::getByteSize(cast<MemRefType>(buffer.getType()));
  Buffer &found = buffers[place];
  found.bytes = std::max(found.bytes, bytes);
  found.accesses.push_back({piece, argument, reads, writes, stepBytes});
  stepBytes += bytes / 2.0;
  touched.resize(std::max<size_t>(touched.size(), piece + 1));
  shares.resize(touched.size());
  unsigned number = std::distance(buffers.begin(), buffers.find(place));
  if (!llvm::is_contained(touched[piece], number))
    touched[piece].push_back(number);
}

void SharingModel::setShares(unsigned piece, const BufferShares *now) {
  if (piece < shares.size())
    shares[piece] = now;
}

BufferShare SharingModel::getShare(const Access &access) const {
  const BufferShares *all = shares[access.piece];
  return all ? (*all)[access.argument] : BufferShare();
}

/// What the accesses so far have left of one buffer to the two cores.
class SharingModel::Replay {
public:
  explicit Replay(double held) : held(held) {}

  /// Whether lines move for this access.
  bool moves(const Access &access, BufferShare share, double now) {
    bool isMoved = false;
    if (access.reads) {
      isMoved |= !owners.empty() && isAway(owners.front(), share, now) &&
                 llvm::none_of(ArrayRef(owners).drop_front(), [&](const Owner &owner) {
                   return owner.share == share;
                 });
      owners.push_back({share, now});
    }
    if (access.writes) {
      isMoved |= llvm::any_of(owners, [&](const Owner &owner) { return isAway(owner, share, now); });
      owners.assign(1, {share, now});
    }
    return isMoved;
  }

private:
  /// Who had it, and when.
  struct Owner {
    BufferShare share;
    double time;
  };

  /// Whether it is in another core's caches.
  bool isAway(const Owner &owner, BufferShare share, double now) const {
    return !(owner.share == share) && now - owner.time < held;
  }

  double held;
  /// Who wrote last, and who has read since.
  SmallVector<Owner> owners;
};

/// The second of two replays finds what a step leaves to the next one.
double SharingModel::price(const Buffer &buffer) const {
  double cycles = 0;
  Replay replay(held);
  for (int step = 0; step < 2; ++step)
    for (const Access &access : buffer.accesses) {
      bool isMoved = replay.moves(access, getShare(access), access.time + step * stepBytes);
      if (step == 1 && isMoved && buffer.bytes < held)
        cycles += getMoveCycles(buffer.bytes);
    }
  return cycles;
}

double SharingModel::price(unsigned piece) const {
  double cycles = 0;
  if (piece < touched.size())
    for (unsigned number : touched[piece])
      cycles += price(buffers.getArrayRef()[number].second);
  return cycles;
}

double SharingModel::price() const {
  double cycles = 0;
  for (const auto &[place, buffer] : buffers)
    cycles += price(buffer);
  return cycles;
}
