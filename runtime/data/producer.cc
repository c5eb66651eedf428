// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A worker takes the next batch's number, row list and slot under one lock, fills the slot without any, and publishes
// under another: whoever finishes the batch that is due also publishes those after it that are already there.

#include "runtime/data/producer.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/exceptions.h"
#include "runtime/base/status.h"

namespace plumb {
namespace {

constexpr uint64_t kNone = ~uint64_t{0};

}  // namespace

struct BatchProducer::State {
  State(const Pipeline& pipeline, const ProducerOptions& options, BatchTarget* target)
      : pipeline(pipeline), options(options), target(target), order(pipeline.MakeOrder(options.seed)) {
    order->Seek(options.first_batch);
  }

  absl::Status StartWorkers(size_t workers);
  void Work();
  void Produce();
  uint8_t* Take(uint64_t* n, std::vector<uint64_t>* rows);
  absl::Status Fill(uint8_t* slot, absl::Span<const uint64_t> rows, std::vector<uint8_t>* scratch);
  void Finish(uint64_t n, absl::Status status);
  void Leave(absl::Status status);
  void CloseIf(bool condition);

  const Pipeline& pipeline;
  const ProducerOptions options;
  BatchTarget* const target;
  std::atomic<bool> stop{false};

  std::mutex order_mutex;  // guards the next two; also makes Acquire's calls follow each other
  std::unique_ptr<RowOrder> order;
  uint64_t next = 0;

  std::mutex publish_mutex;  // guards the rest
  std::set<uint64_t> finished;
  uint64_t published = 0;
  uint64_t failed = kNone;  // the first batch that failed, and why
  absl::Status error;
  size_t running = 0;
  bool closed = false;

  std::vector<std::thread> threads;
};

// The next batch's number, rows and slot; null if there is none.
uint8_t* BatchProducer::State::Take(uint64_t* n, std::vector<uint64_t>* rows) {
  std::lock_guard<std::mutex> lock(order_mutex);
  if (stop || (options.batches >= 0 && next == static_cast<uint64_t>(options.batches))) return nullptr;
  uint8_t* slot = target->Acquire(next);
  if (slot == nullptr) {
    stop = true;
    return nullptr;
  }
  order->NextOfAll(rows);
  *n = next++;
  return slot;
}

absl::Status BatchProducer::State::Fill(uint8_t* slot, absl::Span<const uint64_t> rows, std::vector<uint8_t>* scratch) {
  std::vector<uint8_t*> columns;
  columns.reserve(options.offsets.size());
  for (uint64_t offset : options.offsets) columns.push_back(slot + offset);
  return pipeline.FillBatch(rows, columns.data(), scratch->data());
}

void BatchProducer::State::Finish(uint64_t n, absl::Status status) {
  std::lock_guard<std::mutex> lock(publish_mutex);
  if (closed) return;
  if (!status.ok()) {
    stop = true;
    if (n < failed) {
      failed = n;
      error = std::move(status);
    }
    // Other workers may wait for slots that will never be free; closing wakes them.
    CloseIf(published == failed);
    return;
  }
  finished.insert(n);
  while (!finished.empty() && *finished.begin() == published) {
    finished.erase(finished.begin());
    target->Publish(published++);
  }
  CloseIf(published == failed);
}

void BatchProducer::State::Produce() {
  std::vector<uint8_t> scratch(pipeline.scratch_bytes());
  std::vector<uint64_t> rows;
  uint64_t n = 0;
  while (uint8_t* slot = Take(&n, &rows)) {
    Finish(n, CatchExceptions([&] { return Fill(slot, rows, &scratch); }));
  }
}

void BatchProducer::State::Work() {
  absl::Status status = CatchExceptions([&] {
    Produce();
    return absl::OkStatus();
  });
  Leave(std::move(status));
}

// A worker that failed outside a batch, for lack of memory, may have taken one that no worker will finish: nothing
// follows.
void BatchProducer::State::Leave(absl::Status status) {
  if (!status.ok()) stop = true;
  std::lock_guard<std::mutex> lock(publish_mutex);
  const bool failed_outside = !status.ok();
  if (failed_outside && error.ok()) error = std::move(status);
  CloseIf(--running == 0 || failed_outside);
}

void BatchProducer::State::CloseIf(bool condition) {
  if (!condition || closed) return;
  closed = true;
  target->Close(error);
}

BatchProducer::BatchProducer(std::unique_ptr<State> state) : state_(std::move(state)) {}

absl::StatusOr<std::unique_ptr<BatchProducer>> BatchProducer::Start(const Pipeline& pipeline,
                                                                    const ProducerOptions& options,
                                                                    BatchTarget* target) {
  if (!pipeline.loaded()) return absl::FailedPreconditionError("the pipeline has not loaded its data");
  if (options.offsets.size() != pipeline.columns().size()) {
    return absl::InvalidArgumentError(absl::StrCat("the pipeline makes ", pipeline.columns().size(),
                                                   " columns, but the queue takes ", options.offsets.size()));
  }
  PLUMB_RETURN_IF_ERROR(pipeline.CheckSignature(pipeline.columns()));
  auto state = std::make_unique<State>(pipeline, options, target);
  size_t workers = std::clamp<size_t>(options.workers == 0 ? pipeline.workers() : options.workers, 1, 64);
  std::unique_ptr<BatchProducer> producer(new BatchProducer(std::move(state)));
  PLUMB_RETURN_IF_ERROR(producer->state_->StartWorkers(workers));
  return producer;
}

// The system may give fewer threads than are wanted: the batches are the same, they only come later.
absl::Status BatchProducer::State::StartWorkers(size_t workers) {
  threads.reserve(workers);
  absl::Status started = CatchExceptions([&] {
    for (size_t i = 0; i < workers; ++i) {
      {
        std::lock_guard<std::mutex> lock(publish_mutex);
        ++running;
      }
      threads.emplace_back([this] { Work(); });
    }
    return absl::OkStatus();
  });
  if (started.ok()) return started;
  std::lock_guard<std::mutex> lock(publish_mutex);
  --running;  // the one that could not be started
  if (threads.empty()) return Annotate(started, "the data pipeline");
  CloseIf(running == 0);
  return absl::OkStatus();
}

void BatchProducer::Stop() { state_->stop = true; }

BatchProducer::~BatchProducer() {
  Stop();
  for (std::thread& thread : state_->threads) thread.join();
}

}  // namespace plumb
