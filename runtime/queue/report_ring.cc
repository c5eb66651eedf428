// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/queue/report_ring.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/atomics.h"
#include "runtime/base/status.h"

namespace plumb {
namespace {
constexpr uint64_t kUsualBytes = 256 << 10;
}  // namespace

ReportRing::ReportRing(AlignedBuffer records, AlignedBuffer newest, uint64_t record_bytes, uint64_t depth,
                       Doorbell* doorbell, WhenFull when_full)
    : records_(std::move(records)),
      newest_(std::move(newest)),
      record_bytes_(record_bytes),
      depth_(depth),
      when_full_(when_full),
      doorbell_(doorbell) {
  abi_.record_bytes = record_bytes;
  Reset();
}

absl::StatusOr<std::unique_ptr<ReportRing>> ReportRing::Create(uint64_t record_bytes, uint64_t depth,
                                                               Doorbell* doorbell, WhenFull when_full) {
  if (depth == 0)
    depth = std::min<uint64_t>(std::max<uint64_t>(kUsualBytes / std::max<uint64_t>(record_bytes, 16), 4), 4096);
  uint64_t bytes = 0;
  if (__builtin_mul_overflow(record_bytes, depth, &bytes)) {
    return absl::InvalidArgumentError(absl::StrCat("a report ring of ", depth, " records of ", record_bytes, " bytes"));
  }
  PLUMB_ASSIGN_OR_RETURN(AlignedBuffer records, AlignedBuffer::Create(bytes, "a report ring"));
  PLUMB_ASSIGN_OR_RETURN(AlignedBuffer newest, AlignedBuffer::Create(std::max<uint64_t>(record_bytes, 1), "a report"));
  return std::unique_ptr<ReportRing>(
      new ReportRing(std::move(records), std::move(newest), record_bytes, depth, doorbell, when_full));
}

void ReportRing::Reset(Inspector inspector) {
  inspector_ = std::move(inspector);
  const bool staged = inspector_ != nullptr || when_full_ == WhenFull::kDrop;
  abi_.records = staged ? newest_.data() : records_.data();
  abi_.depth = staged ? 1 : depth_;
  dropped_ = 0;
  StoreRelease(&moved_, uint64_t{0});
  StoreRelease(&drained_, uint64_t{0});
  StoreRelease(&abi_.written, uint64_t{0});
  StoreRelease(&abi_.drained, uint64_t{0});
}

uint64_t ReportRing::Written() const { return LoadAcquire(staged() ? &moved_ : &abi_.written); }
uint64_t ReportRing::Drained() const { return LoadAcquire(&drained_); }
uint64_t ReportRing::dropped() const { return LoadAcquire(&dropped_); }

void ReportRing::DrainWhile(const std::function<bool(const uint8_t* record)>& wanted,
                            const std::function<void(const uint8_t* record)>& handle) {
  const uint64_t written = Written();
  if (drained_ == written) return;
  /// Gives a record back, also one whose handler throws.
  struct GiveBack {
    ReportRing* ring;
    ~GiveBack() {
      StoreRelease(&ring->drained_, ring->drained_ + 1);
      if (!ring->staged()) StoreRelease(&ring->abi_.drained, ring->drained_);
    }
  };
  while (drained_ != written) {
    const uint8_t* record = records_.data() + drained_ % depth_ * record_bytes_;
    if (wanted && !wanted(record)) break;
    GiveBack give_back{this};
    if (handle) handle(record);
  }
  std::lock_guard<std::mutex> lock(mutex_);
  room_.notify_all();
}

bool ReportRing::InspectLast() {
  if (!staged() || LoadAcquire(&abi_.written) == LoadAcquire(&abi_.drained)) return true;
  return InspectAndMove();
}

bool ReportRing::InspectAndMove() {
  const bool passes = inspector_ == nullptr || inspector_(newest_.data());
  Move();
  StoreRelease(&abi_.drained, LoadAcquire(&abi_.written));
  return passes;
}

void ReportRing::Move() {
  if (moved_ - Drained() == depth_) {
    if (when_full_ == WhenFull::kDrop) return StoreRelease(&dropped_, dropped_ + 1);
    doorbell_->Ring();
    std::unique_lock<std::mutex> lock(mutex_);
    room_.wait(lock, [this] { return moved_ - Drained() < depth_; });
  }
  if (record_bytes_ != 0) std::memcpy(records_.data() + moved_ % depth_ * record_bytes_, newest_.data(), record_bytes_);
  StoreRelease(&moved_, moved_ + 1);
}

int32_t ReportRing::WaitForRoom() {
  if (staged()) return InspectAndMove() ? PLUMB_WAIT_READY : PLUMB_WAIT_STOPPED;
  doorbell_->Ring();
  std::unique_lock<std::mutex> lock(mutex_);
  // The loop's own words: it would come back at once if another count were ahead of them.
  room_.wait(lock, [this] { return LoadAcquire(&abi_.written) - LoadAcquire(&abi_.drained) < abi_.depth; });
  return PLUMB_WAIT_READY;
}

}  // namespace plumb
