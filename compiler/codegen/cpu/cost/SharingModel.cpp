// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replays the accesses of a step, buffer by buffer.

#include "compiler/codegen/cpu/cost/SharingModel.h"

#include "compiler/codegen/common/Aliasing.h"

#include "dialects/device/ir/Device.h"

using namespace mlir;
using namespace plumb;

SharingModel::SharingModel(const CpuTarget &target)
    : machine(target.machine), held(double(target.machine.caches.back().bytes())) {}

double SharingModel::getMoveCycles(int64_t bytes, const MachineModel &machine) {
  double cycles = bytes < machine.streamedBytes ? machine.sharedLineCycles : machine.streamedLineCycles;
  return double(bytes) / kLineBytes / 2 * cycles;
}

/// The identity of a buffer: an offset in the arena, a variable, or a value.
static std::pair<const void *, int64_t> getBufferKey(Value root) {
  if (auto view = root.getDefiningOp<device::ArenaViewOp>())
    return {nullptr, view.getOffset()};
  if (auto view = root.getDefiningOp<device::VariableViewOp>())
    return {view.getVariableAttr().getAttr().getAsOpaquePointer(), 0};
  return {root.getAsOpaquePointer(), 0};
}

void SharingModel::addAccess(unsigned section, unsigned argument, Value buffer, bool reads, bool writes) {
  auto key = getBufferKey(getRoot(buffer));
  int64_t bytes = device::getByteSize(cast<MemRefType>(buffer.getType()));
  Buffer &found = buffers[key];
  found.bytes = std::max(found.bytes, bytes);
  found.accesses.push_back({section, argument, reads, writes, stepBytes});
  stepBytes += bytes / 2.0;
  accessed.resize(std::max<size_t>(accessed.size(), section + 1));
  shares.resize(accessed.size());
  unsigned number = std::distance(buffers.begin(), buffers.find(key));
  if (!llvm::is_contained(accessed[section], number))
    accessed[section].push_back(number);
}

void SharingModel::setShares(unsigned section, const BufferShares *now) {
  if (section < shares.size())
    shares[section] = now;
}

BufferShare SharingModel::getShare(const Access &access) const {
  const BufferShares *all = shares[access.section];
  return all ? (*all)[access.argument] : BufferShare();
}

/// The state of one buffer's lines in the caches of the two cores.
class SharingModel::Replay {
public:
  explicit Replay(double held) : held(held) {}

  /// Whether lines move between the cores for this access.
  bool moves(const Access &access, BufferShare share, double now) {
    bool isMoved = false;
    if (access.reads) {
      isMoved |= !owners.empty() && isAway(owners.front(), share, now) &&
                 llvm::none_of(ArrayRef(owners).drop_front(), [&](const Owner &owner) { return owner.share == share; });
      owners.push_back({share, now});
    }
    if (access.writes) {
      isMoved |= llvm::any_of(owners, [&](const Owner &owner) { return isAway(owner, share, now); });
      owners.assign(1, {share, now});
    }
    return isMoved;
  }

private:
  /// A thread's share of an access, and its time.
  struct Owner {
    BufferShare share;
    double time;
  };

  /// Whether the lines are still in another core's caches.
  bool isAway(const Owner &owner, BufferShare share, double now) const {
    return !(owner.share == share) && now - owner.time < held;
  }

  double held;
  /// The last writer, and the readers since.
  SmallVector<Owner> owners;
};

/// The second replay starts from the state that one step leaves to the next.
double SharingModel::getCycles(const Buffer &buffer) const {
  double cycles = 0;
  Replay replay(held);
  for (int step = 0; step < 2; ++step)
    for (const Access &access : buffer.accesses) {
      bool isMoved = replay.moves(access, getShare(access), access.time + step * stepBytes);
      if (step == 1 && isMoved && buffer.bytes < held)
        cycles += getMoveCycles(buffer.bytes, machine);
    }
  return cycles;
}

double SharingModel::getCycles(unsigned section) const {
  double cycles = 0;
  if (section < accessed.size())
    for (unsigned number : accessed[section])
      cycles += getCycles(buffers.getArrayRef()[number].second);
  return cycles;
}

double SharingModel::getCycles() const {
  double cycles = 0;
  for (const auto &[key, buffer] : buffers)
    cycles += getCycles(buffer);
  return cycles;
}
