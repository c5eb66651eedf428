// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/queue/queue.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_format.h"
#include "runtime/base/atomics.h"
#include "runtime/base/status.h"

namespace plumb {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// A signal handler that sets the stop flag cannot wake a sleeper, so sleeps are cut into slices.
constexpr nanoseconds kSlice = milliseconds(10);
// How long a producer sleeps in front of a full ring before it looks again: doubling between these two.
constexpr nanoseconds kShortestNap = microseconds(50);
constexpr nanoseconds kLongestNap = milliseconds(1);

double Seconds(nanoseconds duration) { return std::chrono::duration<double>(duration).count(); }

}  // namespace

Queue::Queue(std::string name, AlignedBuffer slots, uint64_t slot_bytes, uint64_t depth)
    : name_(std::move(name)), slots_(std::move(slots)) {
  abi_.slots = slots_.data();
  abi_.slot_bytes = slot_bytes;
  abi_.depth = depth;
  producer_since_ = consumer_since_ = Clock::now();
}

absl::StatusOr<std::unique_ptr<Queue>> Queue::Create(std::string name, uint64_t slot_bytes, uint64_t depth) {
  uint64_t bytes = 0;
  if (depth == 0 || __builtin_mul_overflow(slot_bytes, depth, &bytes)) {
    return absl::InvalidArgumentError(absl::StrCat("queue '", name, "' of ", depth, " slots of ", slot_bytes, " bytes"));
  }
  auto slots = AlignedBuffer::Create(bytes, "a queue");
  if (!slots.ok()) return Annotate(slots.status(), absl::StrCat("queue '", name, "'"));
  return std::unique_ptr<Queue>(new Queue(std::move(name), std::move(slots).value(), slot_bytes, depth));
}

uint64_t Queue::produced() const { return LoadAcquire(&abi_.produced); }
uint64_t Queue::consumed() const { return LoadAcquire(&abi_.consumed); }
bool Queue::closed() const { return LoadAcquire(&abi_.closed) != 0; }

absl::Status Queue::close_status() {
  std::lock_guard<std::mutex> lock(mutex_);
  return close_status_;
}

void Queue::SetProducer(Producer state) {
  producer_ = state;
  producer_since_ = Clock::now();
}

absl::StatusOr<uint8_t*> Queue::Acquire(uint64_t n, nanoseconds limit) {
  std::unique_lock<std::mutex> lock(mutex_);
  const Clock::time_point start = Clock::now();
  nanoseconds nap = kShortestNap;
  for (bool first = true; n >= consumed() + abi_.depth; first = false) {
    if (cancelled_ || closed()) return nullptr;
    if (first) SetProducer(Producer::kWaiting);
    if (limit >= nanoseconds(0) && Clock::now() - start >= limit) {
      return absl::DeadlineExceededError(
          absl::StrFormat("queue '%s': no free slot for %.1f s; %s", name_, Seconds(limit), Describe(Clock::now())));
    }
    changed_.wait_for(lock, nap);
    nap = std::min(nap * 2, kLongestNap);
  }
  if (cancelled_ || closed()) return nullptr;
  SetProducer(Producer::kPreparing);
  times_[n % kRemembered].acquired = producer_since_;
  return slots_.data() + n % abi_.depth * abi_.slot_bytes;
}

void Queue::Publish(uint64_t n) {
  std::lock_guard<std::mutex> lock(mutex_);
  times_[n % kRemembered].published = Clock::now();
  StoreRelease(&abi_.produced, n + 1);
  if (consumer_waits_) changed_.notify_all();
}

void Queue::Close(absl::Status status) {
  std::lock_guard<std::mutex> lock(mutex_);
  SetProducer(Producer::kClosed);
  close_status_ = std::move(status);
  StoreRelease(&abi_.closed, uint64_t{1});
  changed_.notify_all();
}

void Queue::Cancel() {
  std::lock_guard<std::mutex> lock(mutex_);
  cancelled_ = true;
  changed_.notify_all();
}

/// What Wait would answer now; -1: nothing yet. Data comes before the end of the data, which comes after all data.
int32_t Queue::Answer(const uint32_t* stop) const {
  if (stop != nullptr && LoadAcquire(stop) != 0) return PLUMB_WAIT_STOPPED;
  const bool at_end = closed();
  if (produced() != consumed()) return PLUMB_WAIT_READY;
  if (!at_end) return -1;
  return close_status_.ok() ? PLUMB_WAIT_END_OF_DATA : PLUMB_WAIT_ERROR;
}

int32_t Queue::Wait(const uint32_t* stop, nanoseconds limit) {
  std::unique_lock<std::mutex> lock(mutex_);
  consumer_since_ = Clock::now();
  consumer_waits_ = true;
  changed_.notify_all();  // a producer that naps in front of what it saw as full
  int32_t answer;
  while ((answer = Answer(stop)) < 0) {
    nanoseconds waited = Clock::now() - consumer_since_;
    if (limit > nanoseconds(0) && waited >= limit) {
      error_ = absl::DeadlineExceededError(absl::StrFormat(
          "queue '%s': no batch came for %.1f s; %s", name_, Seconds(waited), Describe(Clock::now())));
      answer = PLUMB_WAIT_ERROR;
      break;
    }
    changed_.wait_for(lock, limit > nanoseconds(0) ? std::min(kSlice, limit - waited) : kSlice);
  }
  if (answer == PLUMB_WAIT_ERROR && error_.ok()) {
    error_ = Annotate(close_status_, absl::StrCat("queue '", name_, "' after ", consumed(), " batches"));
  }
  consumer_waits_ = false;
  return answer;
}

absl::Status Queue::error() {
  std::lock_guard<std::mutex> lock(mutex_);
  return error_;
}

void Queue::Reset() {
  std::lock_guard<std::mutex> lock(mutex_);
  StoreRelease(&abi_.produced, uint64_t{0});
  StoreRelease(&abi_.consumed, uint64_t{0});
  StoreRelease(&abi_.closed, uint64_t{0});
  SetProducer(Producer::kAbsent);
  cancelled_ = false;
  close_status_ = error_ = absl::OkStatus();
  times_ = {};
}

absl::Status Queue::MakeResident() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (produced() - consumed() != abi_.depth) {
    return absl::FailedPreconditionError(
        absl::StrCat("queue '", name_, "' holds ", produced() - consumed(), " batches of ", abi_.depth));
  }
  StoreRelease(&abi_.produced, uint64_t{1} << 62);
  return absl::OkStatus();
}

std::string Queue::DescribeProducer(Clock::time_point now) const {
  const double since = Seconds(now - producer_since_);
  switch (producer_) {
    case Producer::kAbsent:
      return "nobody feeds it (no pipeline is bound and no batch was pushed)";
    case Producer::kPreparing:
      return absl::StrFormat("preparing a batch since %.1f s", since);
    case Producer::kWaiting:
      return absl::StrFormat("waiting for a free slot since %.1f s", since);
    case Producer::kClosed:
      return absl::StrFormat("finished %.1f s ago", since);
  }
  return "";
}

std::string Queue::Describe(Clock::time_point now) const {
  const uint64_t made = produced();
  const uint64_t taken = consumed();
  std::string text = absl::StrFormat(
      "producer: %s, %d batches published; consumer: %s, %d batches taken; %d of %d slots filled", DescribeProducer(now),
      made, consumer_waits_ ? absl::StrFormat("waiting for batch %d since %.1f s", taken, Seconds(now - consumer_since_))
                            : std::string("busy or not running"),
      taken, made - taken, abi_.depth);
  for (uint64_t n = made > kRemembered ? made - kRemembered : 0; n < made; ++n) {
    const Times& times = times_[n % kRemembered];
    absl::StrAppendFormat(&text, "%s%d in %.1f ms (%.1f s ago)",
                          n + kRemembered == made || n == 0 ? "; last batches: " : ", ", n,
                          Seconds(times.published - times.acquired) * 1e3, Seconds(now - times.published));
  }
  return text;
}

}  // namespace plumb
