// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/feed.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <thread>
#include <utility>

#include "runtime/base/element_type.h"
#include "runtime/base/status.h"

namespace plumb {
namespace {

/// What a manifest's queue expects of a batch.
std::vector<ColumnSpec> ExpectedColumns(const abi::Queue& description) {
  std::vector<ColumnSpec> columns;
  for (const abi::Column* column : *description.columns()) {
    absl::Span<const int64_t> shape = ShapeOf(*column->type());
    ColumnSpec spec;
    spec.name = column->name()->str();
    spec.element = column->type()->element();
    spec.shape.assign(shape.begin(), shape.end());
    columns.push_back(std::move(spec));
  }
  return columns;
}

/// What is wrong with value `i` of a column that has a range.
absl::Status OutsideRange(const abi::Column& column, uint64_t i, const std::string& value) {
  const uint64_t highest = column.classes() - 1;
  if (column.use() != nullptr && !column.use()->str().empty()) {
    return absl::OutOfRangeError(absl::StrCat("value ", i, " is ", value, ", which is outside ", column.lowest(),
                                              " to ", highest, ", the ", column.use()->str()));
  }
  return absl::OutOfRangeError(absl::StrCat("value ", i, " is ", value, ", which is outside the classes ",
                                            column.lowest(), " to ", highest, " that the program has"));
}

template <typename T>
absl::Status CheckValues(const abi::Column& column, const uint8_t* bytes) {
  uint64_t count = 1;
  for (int64_t extent : ShapeOf(*column.type())) count *= static_cast<uint64_t>(extent);
  const uint64_t classes = column.classes();
  const int64_t lowest = column.lowest();
  for (uint64_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, bytes + i * sizeof(T), sizeof(T));
    const bool inside = value < T{0} ? static_cast<int64_t>(value) >= lowest : static_cast<uint64_t>(value) < classes;
    if (!inside) return OutsideRange(column, i, absl::StrCat(+value));
  }
  return absl::OkStatus();
}

absl::Status CheckColumnRange(const abi::Column& column, const uint8_t* bytes) {
  switch (column.type()->element()) {
    case abi::ElementType::i8: return CheckValues<int8_t>(column, bytes);
    case abi::ElementType::i16: return CheckValues<int16_t>(column, bytes);
    case abi::ElementType::i32: return CheckValues<int32_t>(column, bytes);
    case abi::ElementType::i64: return CheckValues<int64_t>(column, bytes);
    case abi::ElementType::u8:
    case abi::ElementType::i1: return CheckValues<uint8_t>(column, bytes);
    case abi::ElementType::u16: return CheckValues<uint16_t>(column, bytes);
    case abi::ElementType::u32: return CheckValues<uint32_t>(column, bytes);
    case abi::ElementType::u64: return CheckValues<uint64_t>(column, bytes);
    default: return absl::OkStatus();  // numbers that index nothing
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<Feed>> Feed::Create(const abi::Queue& description, uint64_t seed) {
  std::unique_ptr<Feed> feed(new Feed(description, seed));
  PLUMB_ASSIGN_OR_RETURN(feed->queue_,
                         Queue::Create(description.name()->str(), description.slot_bytes(), description.depth()));
  return feed;
}

Feed::~Feed() {
  if (queue_ != nullptr) StopProducer();
}

/// Refuses a batch whose class numbers or indices lie outside what the program has.
absl::Status Feed::CheckRanges(const uint8_t* slot, uint64_t batch) const {
  for (const abi::Column* column : *description_.columns()) {
    if (column->classes() == 0) continue;
    PLUMB_RETURN_IF_ERROR(Annotate(CheckColumnRange(*column, slot + column->offset()),
                                   absl::StrCat("column '", column->name()->str(), "', batch ", batch)));
  }
  return absl::OkStatus();
}

void Feed::Publish(uint64_t n) {
  if (queue_->closed()) return;
  const plumb_queue_t& ring = *queue_->abi();
  absl::Status valid =
      CheckRanges(static_cast<const uint8_t*>(ring.slots) + n % ring.depth * ring.slot_bytes, base_ + n);
  if (valid.ok()) {
    queue_->Publish(n);
  } else {
    queue_->Close(std::move(valid));
  }
}

void Feed::Close(absl::Status status) {
  // A batch that was refused has closed the queue; what the producer says after it is only that it stopped.
  if (!queue_->closed()) queue_->Close(std::move(status));
}

void Feed::StopProducer() {
  queue_->Cancel();
  producer_.reset();
}

uint8_t* Feed::Acquire(uint64_t n) {
  auto slot = queue_->Acquire(n);
  return slot.ok() ? *slot : nullptr;
}

absl::Status Feed::Bind(std::unique_ptr<Pipeline> pipeline, int64_t passes) {
  if (passes < -1 || passes == 0) {
    return absl::InvalidArgumentError(absl::StrCat("the number of passes must be -1 or positive, but is ", passes));
  }
  const std::string context = absl::StrCat("queue '", queue_->name(), "'");
  PLUMB_RETURN_IF_ERROR(Annotate(pipeline->Load(), context));
  PLUMB_RETURN_IF_ERROR(Annotate(pipeline->CheckSignature(ExpectedColumns(description_)), context));
  StopProducer();
  const uint64_t position = pipeline_ == nullptr ? base_ : 0;
  pipeline_ = std::move(pipeline);
  passes_ = passes;
  return Seek(position);
}

absl::StatusOr<int64_t> Feed::DatasetSize() const {
  if (pipeline_ != nullptr) return pipeline_->dataset_size();
  return absl::FailedPreconditionError(absl::StrCat("no pipeline is bound to queue '", queue_->name(), "'"));
}

/// One of several threads that push: they follow each other in the order in which they find the queue free.
class Feed::Turn {
 public:
  Turn(Feed* feed, std::chrono::nanoseconds limit) : feed_(feed) {
    std::unique_lock<std::mutex> lock(feed_->turn_mutex_);
    auto free = [this] { return !feed_->pushing_; };
    if (limit < std::chrono::nanoseconds(0)) feed_->turn_over_.wait(lock, free);
    taken_ = limit < std::chrono::nanoseconds(0) || feed_->turn_over_.wait_for(lock, limit, free);
    if (taken_) feed_->pushing_ = true;
  }
  ~Turn() {
    if (!taken_) return;
    std::lock_guard<std::mutex> lock(feed_->turn_mutex_);
    feed_->pushing_ = false;
    feed_->turn_over_.notify_one();
  }
  bool taken() const { return taken_; }

 private:
  Feed* const feed_;
  bool taken_ = false;
};

absl::Status Feed::Push(absl::Span<const absl::Span<const uint8_t>> columns, std::chrono::nanoseconds limit) {
  const std::string context = absl::StrCat("queue '", queue_->name(), "'");
  if (pipeline_ != nullptr)
    return absl::FailedPreconditionError(context + " is fed by a pipeline; no batch can be pushed");
  if (ended_) return absl::FailedPreconditionError(context + " was ended; rewind it before pushing again");
  const auto& expected = *description_.columns();
  if (columns.size() != expected.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat(context, " takes ", expected.size(), " columns, the batch has ", columns.size()));
  }
  for (size_t i = 0; i < columns.size(); ++i) {
    const abi::Column& column = *expected.Get(static_cast<flatbuffers::uoffset_t>(i));
    const abi::TensorType& type = *column.type();
    PLUMB_ASSIGN_OR_RETURN(uint64_t bytes, TensorBytes(type.element(), ShapeOf(type)));
    if (columns[i].size() == bytes) continue;
    return absl::InvalidArgumentError(absl::StrCat(context, ", column '", column.name()->str(), "': the batch has ",
                                                   columns[i].size(), " bytes, ",
                                                   TensorTypeString(type.element(), ShapeOf(type)), " takes ", bytes));
  }
  Turn turn(this, limit);
  if (!turn.taken()) return absl::DeadlineExceededError(context + ": other threads push, and wait for a free slot");
  queue_->SetPushed();
  PLUMB_ASSIGN_OR_RETURN(uint8_t* slot, queue_->Acquire(pushed_, limit));
  if (slot == nullptr) return absl::CancelledError(context + " was closed");
  for (size_t i = 0; i < columns.size(); ++i) {
    const abi::Column& column = *expected.Get(static_cast<flatbuffers::uoffset_t>(i));
    std::memcpy(slot + column.offset(), columns[i].data(), columns[i].size());
  }
  PLUMB_RETURN_IF_ERROR(Annotate(CheckRanges(slot, pushed_), context));
  queue_->Publish(pushed_++);
  return absl::OkStatus();
}

absl::Status Feed::End() {
  if (pipeline_ != nullptr) {
    return absl::FailedPreconditionError(absl::StrCat("queue '", queue_->name(), "' is fed by a pipeline"));
  }
  ended_ = true;
  queue_->Close();
  return absl::OkStatus();
}

/// Batches to make from `base_` on; -1: endless.
absl::StatusOr<int64_t> Feed::BatchesLeft() const {
  const int64_t size = pipeline_->dataset_size();
  if (passes_ < 0 || size < 0) return -1;
  int64_t total = 0;
  if (__builtin_mul_overflow(passes_, size, &total)) return -1;
  return std::max<int64_t>(total - static_cast<int64_t>(base_), 0);
}

absl::Status Feed::EnsureRunning() {
  if (pipeline_ == nullptr || producer_ != nullptr) return absl::OkStatus();
  PLUMB_ASSIGN_OR_RETURN(int64_t batches, BatchesLeft());
  ProducerOptions options;
  options.seed = seed_;
  options.first_batch = base_;
  options.batches = batches;
  // Workers beyond the machine's cores only take time from the device thread.
  options.workers = std::min(std::max(pipeline_->workers(), 1u), std::max(std::thread::hardware_concurrency(), 1u));
  for (const abi::Column* column : *description_.columns()) options.offsets.push_back(column->offset());
  PLUMB_ASSIGN_OR_RETURN(producer_, BatchProducer::Start(*pipeline_, options, this));
  return absl::OkStatus();
}

absl::Status Feed::Seek(uint64_t position) {
  StopProducer();
  queue_->Reset();
  base_ = position;
  pushed_ = 0;
  ended_ = false;
  return absl::OkStatus();
}

absl::Status Feed::Resume(uint64_t position, uint64_t seed) {
  PLUMB_RETURN_IF_ERROR(Seek(position));
  seed_ = seed;
  return absl::OkStatus();
}

absl::Status Feed::MakeResident() {
  if (pipeline_ == nullptr) {
    return absl::FailedPreconditionError(absl::StrCat("no pipeline is bound to queue '", queue_->name(), "'"));
  }
  PLUMB_RETURN_IF_ERROR(Seek(0));
  const int64_t passes = passes_;
  passes_ = -1;  // a small data set fills the ring by going round
  absl::Status started = EnsureRunning();
  passes_ = passes;
  PLUMB_RETURN_IF_ERROR(started);
  while (queue_->produced() < queue_->abi()->depth && !queue_->closed()) std::this_thread::yield();
  StopProducer();
  if (queue_->produced() < queue_->abi()->depth) PLUMB_RETURN_IF_ERROR(queue_->close_status());
  return queue_->MakeResident();
}

}  // namespace plumb
