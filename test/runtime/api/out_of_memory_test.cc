// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A whole run through the C API in which each allocation of C++ fails in turn, on whatever thread it happens: once, and
// from then on. Nothing aborts or hangs, the error is that memory is missing, and the process can still run another
// session.

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/api/plumb/runtime.h"
#include "test/runtime/testing/fake_file.h"

namespace {

// Allocations until the failure; negative: none fails. What follows fails too, if `forever`.
std::atomic<int64_t> left{-1};
std::atomic<bool> forever{false};
std::atomic<bool> failed{false};

bool Fails() {
  int64_t now = left.load(std::memory_order_relaxed);
  while (now >= 0) {
    if (now == 0) {
      if (!forever) left = -1;
      failed = true;
      return true;
    }
    if (left.compare_exchange_weak(now, now - 1)) return false;
  }
  return false;
}

}  // namespace

void* operator new(size_t size) {
  void* memory = Fails() ? nullptr : std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace {

/// The first error of a run, and the steps that it made.
struct Outcome {
  plumb_status_code_t code = PLUMB_OK;
  char message[256] = {};
  uint64_t steps = 0;
};

/// Notes an error; true if there was none. Allocates nothing.
bool Note(plumb_status_t* status, Outcome* outcome) {
  if (status == nullptr) return true;
  if (outcome->code == PLUMB_OK) {
    outcome->code = plumb_status_code(status);
    std::snprintf(outcome->message, sizeof(outcome->message), "%s", plumb_status_message(status));
  }
  plumb_status_destroy(status);
  return false;
}

void Count(uint64_t, const void* const*, size_t, void* user) { ++*static_cast<uint64_t*>(user); }

void Launch(plumb_session_t* session, Outcome* outcome) {
  uint64_t heard = 0;
  plumb_launch_result_t result = {};
  if (!Note(plumb_session_launch(session, "train", 50, Count, &heard, &result), outcome)) return;
  if (result.steps != 50 || heard != 50) outcome->code = PLUMB_INTERNAL;
  outcome->steps = result.total_steps;
}

void LaunchAsync(plumb_session_t* session, Outcome* outcome) {
  plumb_future_t* future = nullptr;
  plumb_launch_result_t result = {};
  int ended = 0;
  if (!Note(plumb_session_launch_async(session, "count", 20, nullptr, nullptr, &future), outcome)) return;
  Note(plumb_future_wait(future, -1, &ended), outcome);
  if (ended) Note(plumb_future_result(future, &result), outcome);
  plumb_future_destroy(future);
}

void Use(plumb_session_t* session, const char* path, Outcome* outcome) {
  plumb_queue_depth_t points[4];
  size_t count = 0;
  plumb_queue_statistics_t statistics;
  statistics.size = sizeof(statistics);
  plumb_guard_strike_t strike;
  Note(plumb_session_add_guard(session, "count", "loss>1e30"), outcome);
  if (!Note(plumb_session_bind_pipeline(session, "train", nullptr, -1), outcome)) return;
  Launch(session, outcome);
  Note(plumb_session_queue_statistics(session, "train", &statistics), outcome);
  Note(plumb_session_queue_history(session, "train", points, 4, &count), outcome);
  if (Note(plumb_session_save(session, path), outcome)) Note(plumb_session_load(session, path), outcome);
  LaunchAsync(session, outcome);
  Note(plumb_session_guard_strike(session, &strike), outcome);
}

Outcome RunAll(const std::vector<uint8_t>& file, const char* path, int64_t allocations) {
  Outcome outcome;
  plumb_executable_t* executable = nullptr;
  plumb_session_t* session = nullptr;
  plumb_session_options_t options;
  plumb_session_options_init(&options);
  options.wait_seconds = 20;  // a batch that was lost is an error of its own
  left = allocations;
  if (Note(plumb_executable_load_memory(file.data(), file.size(), "fake", &executable), &outcome) &&
      Note(plumb_session_create(executable, &options, &session), &outcome)) {
    Use(session, path, &outcome);
  }
  plumb_session_destroy(session);
  plumb_executable_destroy(executable);
  left = -1;
  return outcome;
}

class OutOfMemoryTest : public ::testing::TestWithParam<bool> {};

TEST_P(OutOfMemoryTest, EachAllocationFails) {
  const std::vector<uint8_t> file = plumb::testing::MakeExecutableFile(plumb::testing::MakeManifest());
  const std::string path = plumb::testing::WriteTemporary("memory.safetensors", {});
  ASSERT_EQ(RunAll(file, path.c_str(), -1).code, PLUMB_OK);
  forever = GetParam();
  int64_t n = 0;
  for (failed = true; failed; ++n) {
    failed = false;
    const Outcome outcome = RunAll(file, path.c_str(), n);
    // One that failed on a thread of the data's after the last batch that was wanted changes nothing.
    if (outcome.code == PLUMB_OK) continue;
    ASSERT_EQ(outcome.code, PLUMB_OUT_OF_MEMORY) << "allocation " << n << ": " << outcome.message;
    ASSERT_NE(std::string(outcome.message), "");
  }
  forever = false;
  EXPECT_GT(n, 200);
  const Outcome after = RunAll(file, path.c_str(), -1);
  EXPECT_EQ(after.code, PLUMB_OK) << after.message;
  RecordProperty("allocations", static_cast<int>(n));
}

INSTANTIATE_TEST_SUITE_P(OnceOrForever, OutOfMemoryTest, ::testing::Bool());

}  // namespace
