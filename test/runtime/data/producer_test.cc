// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Producers: the queue sees the same batches in the same order whatever the number of workers, resuming included, and
// every end (limit, stop, error) closes it once.

#include "runtime/data/producer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <cstring>
#include <mutex>

#include "test/runtime/data/test_files.h"

namespace plumb {
namespace {

using testing::HasSubstr;

// The 2,000 test digits: 62 batches of 32.
std::string TestDigits(const std::string& nodes, const std::string& more = "") {
  return MnistJson(kMnistFolder, nodes, more, R"("t10k")");
}

// A bounded queue with a plain lock, which also checks the order of calls.
class Ring : public BatchTarget {
 public:
  Ring(size_t depth, size_t slot_bytes) : depth_(depth), slot_bytes_(slot_bytes), slots_(depth * slot_bytes) {}

  uint8_t* Acquire(uint64_t n) override {
    std::unique_lock<std::mutex> lock(mutex_);
    EXPECT_EQ(n, acquired_);
    changed_.wait(lock, [&] { return stopped_ || closed_ || n < consumed_ + depth_; });
    if (stopped_ || closed_) return nullptr;
    ++acquired_;
    return &slots_[n % depth_ * slot_bytes_];
  }

  void Publish(uint64_t n) override {
    std::lock_guard<std::mutex> lock(mutex_);
    EXPECT_EQ(n, produced_);
    ++produced_;
    changed_.notify_all();
  }

  void Close(absl::Status status) override {
    std::lock_guard<std::mutex> lock(mutex_);
    EXPECT_FALSE(closed_);
    closed_ = true;
    status_ = status;
    changed_.notify_all();
  }

  // Takes the next batch; false when the queue is closed and empty.
  bool Pop(Bytes* batch) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return consumed_ < produced_ || closed_; });
    if (consumed_ == produced_) return false;
    uint8_t* slot = &slots_[consumed_ % depth_ * slot_bytes_];
    batch->assign(slot, slot + slot_bytes_);
    ++consumed_;
    changed_.notify_all();
    return true;
  }

  void Stop() {
    std::lock_guard<std::mutex> lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }

  absl::Status status() {
    std::lock_guard<std::mutex> lock(mutex_);
    EXPECT_TRUE(closed_);
    return status_;
  }

 private:
  size_t depth_, slot_bytes_;
  Bytes slots_;
  std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t acquired_ = 0, produced_ = 0, consumed_ = 0;
  bool stopped_ = false, closed_ = false;
  absl::Status status_;
};

class ProducerTest : public testing::Test {
 protected:
  void Open(const std::string& json, PipelineOptions options = {}) {
    auto pipeline = Pipeline::FromJson(json, std::move(options));
    ASSERT_TRUE(pipeline.ok()) << pipeline.status();
    pipeline_ = std::move(*pipeline);
    ASSERT_TRUE(pipeline_->Load().ok());
    slot_bytes_ = 0;
    options_ = {};
    for (const ColumnSpec& column : pipeline_->columns()) {
      options_.offsets.push_back(slot_bytes_);
      slot_bytes_ += (column.bytes() + 63) / 64 * 64;
    }
  }

  std::vector<Bytes> Produce(uint32_t workers, absl::Status* status = nullptr) {
    Ring ring(4, slot_bytes_);
    options_.workers = workers;
    auto producer = BatchProducer::Start(*pipeline_, options_, &ring);
    EXPECT_TRUE(producer.ok()) << producer.status();
    std::vector<Bytes> batches;
    for (Bytes batch; ring.Pop(&batch);) batches.push_back(batch);
    if (status != nullptr) *status = ring.status();
    return batches;
  }

  std::unique_ptr<Pipeline> pipeline_;
  size_t slot_bytes_ = 0;
  ProducerOptions options_;
};

TEST_F(ProducerTest, TheNumberOfWorkersDoesNotMatter) {
  Open(TestDigits(LeNetNodes(), R"(,"sampler_shuffle":true)"));
  options_.batches = 80;  // more than an epoch
  std::vector<Bytes> one = Produce(1);
  ASSERT_EQ(one.size(), 80u);
  for (uint32_t workers : {2, 3, 8}) EXPECT_EQ(one, Produce(workers)) << workers;
  options_.seed = 1;
  EXPECT_NE(one, Produce(2));
}

TEST_F(ProducerTest, BatchesAreThoseOfTheIterator) {
  Open(TestDigits(LeNetNodes(64)));
  options_.batches = pipeline_->dataset_size();
  std::vector<Bytes> produced = Produce(3);
  EXPECT_EQ(produced, Drain(*pipeline_, 0));
}

TEST_F(ProducerTest, ResumesAnywhere) {
  Open(TestDigits(LeNetNodes(20)));  // 100 batches an epoch
  options_.batches = 190;
  std::vector<Bytes> all = Produce(2);
  for (uint64_t first : {1, 99, 100, 170}) {
    options_.first_batch = first;
    options_.batches = 15;
    auto begin = all.begin() + static_cast<int64_t>(first);
    EXPECT_EQ(Produce(2), std::vector<Bytes>(begin, begin + 15));
  }
}

TEST_F(ProducerTest, StopsWhenTheTargetDoes) {
  Open(TestDigits(LeNetNodes()));
  Ring ring(4, slot_bytes_);
  options_.workers = 3;
  auto producer = BatchProducer::Start(*pipeline_, options_, &ring);
  ASSERT_TRUE(producer.ok());
  Bytes batch;
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(ring.Pop(&batch));
  ring.Stop();
  producer->reset();
  EXPECT_TRUE(ring.status().ok());
}

TEST_F(ProducerTest, PublishesWhatCameBeforeAnError) {
  std::vector<int32_t> labels(100, 1);
  labels[57] = 9;
  PipelineOptions options;
  options.arrays["y"] = {reinterpret_cast<const uint8_t*>(labels.data()), labels.size() * sizeof(int32_t)};
  Open(R"({"source_type":"ArraySource","source":{"columns":[{"name":"y","element":"i32"}]},"nodes":[)" +
           Map("y", "OneHot", R"("classes":3)") + "," + Node("Batch", R"("size":10)") + "]}",
       options);
  for (uint32_t workers : {1, 4}) {
    absl::Status status;
    EXPECT_EQ(Produce(workers, &status).size(), 5u);
    EXPECT_EQ(status.message(), "row 57, column 'y': label 9 is outside the 3 classes");
  }
}

TEST_F(ProducerTest, RefusesWhatCannotFillAQueue) {
  Open(MnistJson(kMnistFolder, Node("Batch", R"("size":384)")));
  Ring ring(4, slot_bytes_);
  EXPECT_THAT(std::string(BatchProducer::Start(*pipeline_, options_, &ring).status().message()),
              HasSubstr("last batch"));
  options_.offsets.pop_back();
  EXPECT_THAT(std::string(BatchProducer::Start(*pipeline_, options_, &ring).status().message()),
              HasSubstr("2 columns"));
}

}  // namespace
}  // namespace plumb
