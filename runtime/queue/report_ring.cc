// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/queue/report_ring.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/atomics.h"
#include "runtime/base/status.h"

namespace plumb {
namespace {
constexpr uint64_t kUsualBytes = 256 << 10;
}  // namespace

ReportRing::ReportRing(AlignedBuffer records, uint64_t record_bytes, uint64_t depth, Doorbell* doorbell)
    : records_(std::move(records)), doorbell_(doorbell) {
  abi_.records = records_.data();
  abi_.record_bytes = record_bytes;
  abi_.depth = depth;
}

absl::StatusOr<std::unique_ptr<ReportRing>> ReportRing::Create(uint64_t record_bytes, uint64_t depth,
                                                               Doorbell* doorbell) {
  if (depth == 0) depth = std::min<uint64_t>(std::max<uint64_t>(kUsualBytes / std::max<uint64_t>(record_bytes, 16), 4), 4096);
  uint64_t bytes = 0;
  if (__builtin_mul_overflow(record_bytes, depth, &bytes)) {
    return absl::InvalidArgumentError(absl::StrCat("a report ring of ", depth, " records of ", record_bytes, " bytes"));
  }
  PLUMB_ASSIGN_OR_RETURN(AlignedBuffer records, AlignedBuffer::Create(bytes, "a report ring"));
  return std::unique_ptr<ReportRing>(new ReportRing(std::move(records), record_bytes, depth, doorbell));
}

void ReportRing::Reset() {
  StoreRelease(&abi_.written, uint64_t{0});
  StoreRelease(&abi_.drained, uint64_t{0});
}

bool ReportRing::HasRoom() const { return LoadAcquire(&abi_.written) - LoadAcquire(&abi_.drained) < abi_.depth; }

void ReportRing::Drain(const std::function<void(const uint8_t* record)>& handle) {
  uint64_t drained = abi_.drained;
  const uint64_t written = LoadAcquire(&abi_.written);
  if (drained == written) return;
  for (; drained != written; ++drained) {
    if (handle) handle(abi_.records + drained % abi_.depth * abi_.record_bytes);
    StoreRelease(&abi_.drained, drained + 1);
  }
  std::lock_guard<std::mutex> lock(mutex_);
  drained_.notify_all();
}

int32_t ReportRing::WaitForRoom() {
  doorbell_->Ring();
  std::unique_lock<std::mutex> lock(mutex_);
  drained_.wait(lock, [this] { return HasRoom(); });
  return PLUMB_WAIT_READY;
}

}  // namespace plumb
