// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In which order the rows of a source become batches.
//
// Each node that moves rows (sampler, shuffle, take, repeat, batch) is a stream of items, an item being the list of
// source rows that one element of the data set consists of: one row before a batch, many after. Nodes pull from their
// input. Each shuffle draws from its own random stream, keyed by seed, node and epoch, so an epoch can be started
// anywhere.

#ifndef PLUMB_RUNTIME_DATA_ROW_ORDER_H_
#define PLUMB_RUNTIME_DATA_ROW_ORDER_H_

#include <cstdint>
#include <memory>
#include <vector>

namespace plumb {

/// One node of the order.
class ItemStream {
 public:
  virtual ~ItemStream() = default;
  /// Goes to the start of `epoch`.
  virtual void Reset(uint64_t epoch) = 0;
  /// Appends the next item's rows; false, appending nothing, at the end of the epoch.
  virtual bool Next(std::vector<uint64_t>* rows) = 0;
};

/// The rows 0 … count-1, in a new random order each epoch if `shuffle`.
std::unique_ptr<ItemStream> MakeSource(uint64_t count, bool shuffle, uint64_t seed);
/// Gives a random one of the next `buffer_size` items. `node` tells this shuffle from others.
std::unique_ptr<ItemStream> MakeShuffle(std::unique_ptr<ItemStream> input, uint64_t buffer_size, uint64_t seed,
                                        uint64_t node);
/// The first `count` items.
std::unique_ptr<ItemStream> MakeTake(std::unique_ptr<ItemStream> input, uint64_t count);
/// `count` epochs of the input as one; without end if negative.
std::unique_ptr<ItemStream> MakeRepeat(std::unique_ptr<ItemStream> input, int64_t count);
/// `size` items as one; a smaller last one is dropped if `drop_remainder`.
std::unique_ptr<ItemStream> MakeBatch(std::unique_ptr<ItemStream> input, uint64_t size, bool drop_remainder);

/// The batches of all epochs as one sequence that can be entered anywhere.
class RowOrder {
 public:
  /// `size`: batches per epoch; negative: the only epoch never ends.
  RowOrder(std::unique_ptr<ItemStream> batches, int64_t size) : batches_(std::move(batches)), size_(size) {}

  /// Goes to the start of `epoch`.
  void Reset(uint64_t epoch);
  /// Goes to batch `n` of the sequence.
  void Seek(uint64_t n);
  /// Replaces `rows` by those of the next batch; false at the end of the epoch.
  bool Next(std::vector<uint64_t>* rows);
  /// Like Next, but goes on with the next epoch.
  void NextOfAll(std::vector<uint64_t>* rows);

 private:
  std::unique_ptr<ItemStream> batches_;
  int64_t size_;
  uint64_t epoch_ = 0;
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_DATA_ROW_ORDER_H_
