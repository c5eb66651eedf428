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
constexpr nanoseconds kMaxNap = milliseconds(1);

double Seconds(nanoseconds duration) { return std::chrono::duration<double>(duration).count(); }

void AddWait(nanoseconds waited, WaitStatistics* statistics) {
  ++statistics->count;
  statistics->total += waited;
  statistics->longest = std::max(statistics->longest, waited);
}

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
    return absl::InvalidArgumentError(
        absl::StrCat("queue '", name, "' of ", depth, " slots of ", slot_bytes, " bytes"));
  }
  // A batch of empty tensors has a slot, too: null says that there is none.
  auto slots = AlignedBuffer::Create(std::max<uint64_t>(bytes, 1), "a queue");
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
  /// However it ends: a wait is a wait.
  struct Count {
    Queue* queue;
    Clock::time_point start;
    bool waited = false;
    ~Count() {
      if (waited) AddWait(Clock::now() - start, &queue->producer_statistics_);
    }
  } count{this, start};
  nanoseconds nap = kShortestNap;
  for (bool first = true; n >= consumed() + abi_.depth; first = false) {
    if (cancelled_ || closed()) return nullptr;
    if (first) SetProducer(Producer::kWaiting);
    count.waited = true;
    if (limit >= nanoseconds(0) && Clock::now() - start >= limit) {
      return absl::DeadlineExceededError(
          absl::StrFormat("queue '%s': no free slot for %.1f s; %s", name_, Seconds(limit), Describe(Clock::now())));
    }
    changed_.wait_for(lock, nap);
    nap = std::min(nap * 2, kMaxNap);
  }
  if (cancelled_ || closed()) return nullptr;
  SetProducer(Producer::kPreparing);
  times_[n % kRemembered].acquired = producer_since_;
  return slots_.data() + n % abi_.depth * abi_.slot_bytes;
}

void Queue::Publish(uint64_t n) {
  std::lock_guard<std::mutex> lock(mutex_);
  const Clock::time_point now = Clock::now();
  Times& times = times_[n % kRemembered];
  times.published = now;
  preparing_ += now - times.acquired;
  StoreRelease(&abi_.produced, n + 1);
  Sample(n, n + 1 - consumed(), now);
  if (consumer_waits_) changed_.notify_all();
}

/// Keeps every sample while there is room, then every second one of twice the distance.
void Queue::Sample(uint64_t n, uint64_t filled, Clock::time_point now) {
  if (n == 0) first_published_ = now;
  filled_sum_ += filled;
  if (n % sample_stride_ != 0) return;
  if (sample_count_ == kSamples) {
    for (size_t i = 0; i < kSamples / 2; ++i) samples_[i] = samples_[2 * i];
    sample_count_ = kSamples / 2;
    sample_stride_ *= 2;
    if (n % sample_stride_ != 0) return;
  }
  samples_[sample_count_++] = {Seconds(now - first_published_), filled};
}

QueueStatistics Queue::statistics() {
  std::lock_guard<std::mutex> lock(mutex_);
  QueueStatistics statistics;
  statistics.published = produced();
  statistics.taken = consumed();
  statistics.depth = abi_.depth;
  statistics.producer = producer_statistics_;
  statistics.consumer = consumer_statistics_;
  statistics.preparing = preparing_;
  if (statistics.published > 0) {
    statistics.mean_filled = static_cast<double>(filled_sum_) / static_cast<double>(statistics.published);
  }
  return statistics;
}

std::vector<DepthSample> Queue::history() {
  std::lock_guard<std::mutex> lock(mutex_);
  return std::vector<DepthSample>(samples_.begin(), samples_.begin() + static_cast<std::ptrdiff_t>(sample_count_));
}

std::string QueueStatistics::Advice(nanoseconds running) const {
  constexpr double kMuch = 0.05;
  const double share = running.count() > 0 ? Seconds(consumer.total) / Seconds(running) : 0;
  if (share < kMuch || published == 0) return "";
  return absl::StrFormat(
      "the data are the slower side: a batch takes %.2f ms to prepare, and the loop waited %.0f %% of the time; give "
      "the "
      "pipeline more workers, keep prepared rows (cache), or do less per row",
      Seconds(preparing) * 1e3 / static_cast<double>(published), 100 * share);
}

void Queue::Close(absl::Status status) {
  std::lock_guard<std::mutex> lock(mutex_);
  SetProducer(Producer::kClosed);
  close_status_ = std::move(status);
  StoreRelease(&abi_.closed, uint64_t{1});
  changed_.notify_all();
}

void Queue::SetPushed() {
  std::lock_guard<std::mutex> lock(mutex_);
  pushed_ = true;
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
  bool slept = false;
  /// However it ends, even for lack of memory.
  struct Leave {
    Queue* queue;
    const bool* slept;
    ~Leave() {
      queue->consumer_waits_ = false;
      if (*slept) AddWait(Clock::now() - queue->consumer_since_, &queue->consumer_statistics_);
    }
  } leave{this, &slept};
  changed_.notify_all();  // a producer that naps in front of what it saw as full
  int32_t answer;
  while ((answer = Answer(stop)) < 0) {
    const nanoseconds waited = Clock::now() - consumer_since_;
    if (limit > nanoseconds(0) && waited >= limit) return FailWait(waited);
    slept = true;
    changed_.wait_for(lock, limit > nanoseconds(0) ? std::min(kSlice, limit - waited) : kSlice);
  }
  if (answer == PLUMB_WAIT_ERROR && error_.ok()) {
    error_ = Annotate(close_status_, absl::StrCat("queue '", name_, "' after ", consumed(), " batches"));
  }
  return answer;
}

int32_t Queue::FailWait(nanoseconds waited) {
  const Clock::time_point now = Clock::now();
  error_ = absl::DeadlineExceededError(absl::StrFormat("queue '%s': no batch came for %.1f s; %s; %s", name_,
                                                       Seconds(waited), Describe(now), AdviseAfterWait(now)));
  return PLUMB_WAIT_ERROR;
}

/// The advice for a loop that waited in vain.
std::string Queue::AdviseAfterWait(Clock::time_point now) const {
  switch (producer_) {
    case Producer::kAbsent: return "bind a pipeline to the queue, or push batches and say when they end";
    case Producer::kWaiting:
      return "the producer sees a full queue and the loop an empty one: this is a bug of the runtime, please report it";
    case Producer::kClosed:
      return "the producer ended without saying so: this is a bug of the runtime, please report it";
    case Producer::kPreparing: break;
  }
  const uint64_t made = produced();
  if (pushed_) {
    return "whoever pushes batches pushed none for so long: it is stuck, too slow, or ended without saying that the "
           "data end";
  }
  const double usual = made == 0 ? 0 : Seconds(preparing_) / static_cast<double>(made);
  if (made == 0 || Seconds(now - producer_since_) > 10 * usual) {
    return "the pipeline does not finish this batch: its source hangs (a file system that does not answer?), or a "
           "batch needs "
           "longer than the limit, which then is to be raised (--timeout, wait_seconds)";
  }
  return "batches come, but slower than the limit allows: give the pipeline more workers, keep prepared rows (cache), "
         "make batches "
         "smaller, or raise the limit (--timeout, wait_seconds)";
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
  cancelled_ = pushed_ = false;
  close_status_ = error_ = absl::OkStatus();
  times_ = {};
  producer_statistics_ = consumer_statistics_ = {};
  preparing_ = nanoseconds(0);
  filled_sum_ = 0;
  sample_count_ = 0;
  sample_stride_ = 1;
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
    case Producer::kAbsent: return "nobody feeds it (no pipeline is bound and no batch was pushed)";
    case Producer::kPreparing:
      if (pushed_ && produced() > 0) {
        return absl::StrFormat("pushed its last batch %.1f s ago",
                               Seconds(now - times_[(produced() - 1) % kRemembered].published));
      }
      return absl::StrFormat("preparing a batch since %.1f s", since);
    case Producer::kWaiting: return absl::StrFormat("waiting for a free slot since %.1f s", since);
    case Producer::kClosed: return absl::StrFormat("finished %.1f s ago", since);
  }
  return "";
}

std::string Queue::Describe(Clock::time_point now) const {
  const uint64_t made = produced();
  const uint64_t taken = consumed();
  const std::string text = absl::StrFormat(
      "producer: %s, %d batches published; consumer: %s, %d batches taken; %d of %d slots filled",
      DescribeProducer(now), made,
      consumer_waits_ ? absl::StrFormat("waiting for batch %d since %.1f s", taken, Seconds(now - consumer_since_))
                      : std::string("busy or not running"),
      taken, made - taken, abi_.depth);
  return text + DescribeBatches(now);
}

std::string Queue::DescribeBatches(Clock::time_point now) const {
  const uint64_t made = produced();
  std::string text;
  for (uint64_t n = made > kRemembered ? made - kRemembered : 0; n < made; ++n) {
    const Times& times = times_[n % kRemembered];
    absl::StrAppendFormat(&text, "%s%d in %.1f ms (%.1f s ago)",
                          n + kRemembered == made || n == 0 ? "; last batches: " : ", ", n,
                          Seconds(times.published - times.acquired) * 1e3, Seconds(now - times.published));
  }
  return text;
}

}  // namespace plumb
