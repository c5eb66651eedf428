// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/data/row_order.h"

#include <numeric>
#include <utility>

#include "runtime/base/random.h"

namespace plumb {
namespace {

// Shuffles draw from streams of their own, far from those of initialisers, which count up from 0.
constexpr uint64_t kShuffleStreams = uint64_t{1} << 31;

// The `i`-th draw of an epoch.
uint64_t DrawIndex(uint64_t epoch, uint64_t i) { return epoch << 32 | (i & 0xffffffff); }

class Source : public ItemStream {
 public:
  Source(uint64_t count, bool shuffle, uint64_t seed)
      : shuffle_(shuffle), random_(seed, kShuffleStreams), rows_(count) {}

  void Reset(uint64_t epoch) override {
    next_ = 0;
    std::iota(rows_.begin(), rows_.end(), 0);
    if (!shuffle_) return;
    for (uint64_t i = rows_.size(); i > 1; --i) {
      std::swap(rows_[i - 1], rows_[random_.Below(i, DrawIndex(epoch, i))]);
    }
  }

  bool Next(std::vector<uint64_t>* rows) override {
    if (next_ == rows_.size()) return false;
    rows->push_back(rows_[next_++]);
    return true;
  }

 private:
  bool shuffle_;
  RandomStream random_;
  std::vector<uint32_t> rows_;
  uint64_t next_ = 0;
};

class Shuffle : public ItemStream {
 public:
  Shuffle(std::unique_ptr<ItemStream> input, uint64_t buffer_size, uint64_t seed, uint64_t node)
      : input_(std::move(input)), buffer_size_(buffer_size), random_(seed, kShuffleStreams + node) {}

  void Reset(uint64_t epoch) override {
    input_->Reset(epoch);
    epoch_ = epoch;
    draws_ = 0;
    filled_ = 0;
  }

  bool Next(std::vector<uint64_t>* rows) override {
    if (draws_ == 0) Fill();
    if (filled_ == 0) return false;
    std::vector<uint64_t>& chosen = buffer_[random_.Below(filled_, DrawIndex(epoch_, draws_++))];
    rows->insert(rows->end(), chosen.begin(), chosen.end());
    chosen.clear();
    if (!input_->Next(&chosen)) chosen.swap(buffer_[--filled_]);
    return true;
  }

 private:
  // The buffer grows to what the input has, not to what the program asked for.
  void Fill() {
    for (; filled_ < buffer_size_; ++filled_) {
      if (filled_ == buffer_.size()) buffer_.emplace_back();
      buffer_[filled_].clear();
      if (!input_->Next(&buffer_[filled_])) return;
    }
  }

  std::unique_ptr<ItemStream> input_;
  uint64_t buffer_size_;
  RandomStream random_;
  uint64_t epoch_ = 0;
  uint64_t draws_ = 0;
  uint64_t filled_ = 0;
  std::vector<std::vector<uint64_t>> buffer_;
};

class Take : public ItemStream {
 public:
  Take(std::unique_ptr<ItemStream> input, uint64_t count) : input_(std::move(input)), count_(count) {}

  void Reset(uint64_t epoch) override {
    input_->Reset(epoch);
    taken_ = 0;
  }

  bool Next(std::vector<uint64_t>* rows) override {
    if (taken_ == count_ || !input_->Next(rows)) return false;
    ++taken_;
    return true;
  }

 private:
  std::unique_ptr<ItemStream> input_;
  uint64_t count_;
  uint64_t taken_ = 0;
};

class Repeat : public ItemStream {
 public:
  Repeat(std::unique_ptr<ItemStream> input, int64_t count) : input_(std::move(input)), count_(count) {}

  void Reset(uint64_t epoch) override {
    first_ = count_ < 0 ? epoch : epoch * static_cast<uint64_t>(count_);
    done_ = 0;
    input_->Reset(first_);
  }

  bool Next(std::vector<uint64_t>* rows) override {
    if (input_->Next(rows)) return true;
    if (count_ >= 0 && done_ + 1 >= static_cast<uint64_t>(count_)) return false;
    input_->Reset(first_ + ++done_);
    return input_->Next(rows);
  }

 private:
  std::unique_ptr<ItemStream> input_;
  int64_t count_;
  uint64_t first_ = 0;
  uint64_t done_ = 0;
};

class Batch : public ItemStream {
 public:
  Batch(std::unique_ptr<ItemStream> input, uint64_t size, bool drop_remainder)
      : input_(std::move(input)), size_(size), drop_remainder_(drop_remainder) {}

  void Reset(uint64_t epoch) override { input_->Reset(epoch); }

  bool Next(std::vector<uint64_t>* rows) override {
    size_t before = rows->size();
    uint64_t items = 0;
    while (items < size_ && input_->Next(rows)) ++items;
    if (items == size_ || (items > 0 && !drop_remainder_)) return true;
    rows->resize(before);
    return false;
  }

 private:
  std::unique_ptr<ItemStream> input_;
  uint64_t size_;
  bool drop_remainder_;
};

}  // namespace

std::unique_ptr<ItemStream> MakeSource(uint64_t count, bool shuffle, uint64_t seed) {
  return std::make_unique<Source>(count, shuffle, seed);
}
std::unique_ptr<ItemStream> MakeShuffle(std::unique_ptr<ItemStream> input, uint64_t buffer_size, uint64_t seed,
                                        uint64_t node) {
  return std::make_unique<Shuffle>(std::move(input), buffer_size, seed, node);
}
std::unique_ptr<ItemStream> MakeTake(std::unique_ptr<ItemStream> input, uint64_t count) {
  return std::make_unique<Take>(std::move(input), count);
}
std::unique_ptr<ItemStream> MakeRepeat(std::unique_ptr<ItemStream> input, int64_t count) {
  return std::make_unique<Repeat>(std::move(input), count);
}
std::unique_ptr<ItemStream> MakeBatch(std::unique_ptr<ItemStream> input, uint64_t size, bool drop_remainder) {
  return std::make_unique<Batch>(std::move(input), size, drop_remainder);
}

void RowOrder::Reset(uint64_t epoch) {
  epoch_ = epoch;
  batches_->Reset(epoch);
}

void RowOrder::Seek(uint64_t n) {
  uint64_t skip = n;
  if (size_ > 0) {
    Reset(n / static_cast<uint64_t>(size_));
    skip = n % static_cast<uint64_t>(size_);
  } else {
    Reset(0);
  }
  std::vector<uint64_t> rows;
  while (skip-- > 0) Next(&rows);
}

bool RowOrder::Next(std::vector<uint64_t>* rows) {
  rows->clear();
  return batches_->Next(rows);
}

void RowOrder::NextOfAll(std::vector<uint64_t>* rows) {
  if (Next(rows)) return;
  Reset(epoch_ + 1);
  Next(rows);
}

}  // namespace plumb
