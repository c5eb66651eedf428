// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/watch.h"

#include <cstring>
#include <limits>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/element_type.h"
#include "runtime/base/status.h"

namespace plumb {

absl::StatusOr<WatchRule> ParseWatchRule(absl::string_view text) {
  WatchRule rule;
  const size_t comma = text.find(',');
  rule.name = std::string(text.substr(0, comma));
  absl::string_view rest = comma == absl::string_view::npos ? "" : text.substr(comma);
  constexpr absl::string_view kEvery = ",every=";
  const bool reads = rest.empty() || (rest.substr(0, kEvery.size()) == kEvery &&
                                      absl::SimpleAtoi(rest.substr(kEvery.size()), &rule.every) && rule.every > 0);
  if (reads && !rule.name.empty()) return rule;
  return absl::InvalidArgumentError(
      absl::StrCat("what is watched is a NAME, perhaps with * in it and ,every=STEPS behind it, and not '", text, "'"));
}

absl::Status Watches::Add(const std::string& name, const abi::TensorType& type, uint64_t every, uint64_t offset,
                          absl::Span<const uint8_t> variable, WatchHandler handler) {
  const absl::Span<const int64_t> shape = ShapeOf(type);
  auto entry = std::make_unique<Entry>();
  entry->name = name;
  entry->element = type.element();
  entry->shape.assign(shape.begin(), shape.end());
  entry->every = every;
  entry->offset = offset;
  PLUMB_ASSIGN_OR_RETURN(entry->bytes, TensorBytes(type.element(), shape));
  entry->variable = variable.data();
  entry->handler = std::move(handler);
  for (AlignedBuffer& slot : entry->slots) {
    PLUMB_ASSIGN_OR_RETURN(slot, AlignedBuffer::Create(entry->bytes, "a watched tensor"));
  }
  entries_.push_back(std::move(entry));
  return absl::OkStatus();
}

void Watches::Begin() {
  left_out_ = 0;
  Drop();
}

/// False: the value is left out.
bool Watches::WaitForSlot(const Entry& entry) {
  std::unique_lock<std::mutex> lock(mutex_);
  const auto has_room = [&entry] { return entry.written - entry.shown < kSlots; };
  if (has_room()) return true;
  if (!waits_) {
    ++left_out_;
    return false;
  }
  doorbell_->Ring();
  room_.wait(lock, has_room);
  return true;
}

void Watches::Look(uint64_t step, const uint8_t* record) {
  for (const std::unique_ptr<Entry>& entry : entries_) {
    if (step % entry->every != 0 || !WaitForSlot(*entry)) continue;
    const uint64_t slot = entry->written % kSlots;  // written by this thread alone
    const uint8_t* data = entry->variable != nullptr ? entry->variable : record + entry->offset;
    if (entry->bytes != 0) std::memcpy(entry->slots[slot].data(), data, entry->bytes);
    entry->steps[slot] = step;
    std::lock_guard<std::mutex> lock(mutex_);
    ++entry->written;
    pending_.fetch_add(1, std::memory_order_release);
  }
}

void Watches::ShowNext(Entry& entry) {
  /// Gives a slot back, also one whose handler throws.
  struct GiveBack {
    Watches* watches;
    Entry& entry;
    ~GiveBack() {
      std::lock_guard<std::mutex> lock(watches->mutex_);
      ++entry.shown;
      watches->pending_.fetch_sub(1, std::memory_order_relaxed);
      watches->room_.notify_all();
    }
  };
  const uint64_t slot = entry.shown % kSlots;  // written by this thread alone
  GiveBack give_back{this, entry};
  entry.handler({entry.name, entry.element, entry.shape, entry.steps[slot], {entry.slots[slot].data(), entry.bytes}});
}

/// The first entry with a value of the earliest step that waits, if that is not after `step`; null if there is none.
Watches::Entry* Watches::FindNext(uint64_t step) {
  std::lock_guard<std::mutex> lock(mutex_);
  Entry* next = nullptr;
  for (const std::unique_ptr<Entry>& entry : entries_) {
    if (entry->shown == entry->written || entry->steps[entry->shown % kSlots] > step) continue;
    step = entry->steps[entry->shown % kSlots] - 1;
    next = entry.get();
  }
  return next;
}

void Watches::Show(uint64_t step) {
  while (pending_.load(std::memory_order_acquire) > 0) {
    Entry* entry = FindNext(step);
    if (entry == nullptr) return;
    ShowNext(*entry);
  }
}

void Watches::Drop() {
  std::lock_guard<std::mutex> lock(mutex_);
  for (const std::unique_ptr<Entry>& entry : entries_) entry->shown = entry->written;
  pending_.store(0, std::memory_order_relaxed);
  room_.notify_all();
}

}  // namespace plumb
