// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a few threads' worth of code in every order. The threads are fibers of one thread; a fiber may be interrupted
// before each access to a shared counter (LoadAcquire, StoreRelease, built with PLUMB_SCHEDULE_POINTS) and before each
// lock. Mutexes and condition variables of the C++ library work as always, only that the explorer decides who goes on:
// it goes through all decisions, depth first, that interrupt fibers at most `preemptions` times where they could have
// gone on.
//
// A timed wait ends by its time when nobody else can go on, the longest wait first, or, as one of the interruptions, at
// any moment. The order of memory accesses is that of the program: weaker orders are argued in docs/rationale/queue.md.

#ifndef PLUMB_TEST_RUNTIME_QUEUE_EXPLORER_H_
#define PLUMB_TEST_RUNTIME_QUEUE_EXPLORER_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace plumb {
namespace testing {

/// One arrangement of fibers, made anew for each order.
struct Scenario {
  std::vector<std::function<void()>> fibers;
  std::function<std::string()> check;  // when all have ended: what is wrong; empty: nothing
};

struct Exploration {
  uint64_t orders = 0;
  std::string failure;  // of the first order that fails, with its decisions; empty: none
};

Exploration Explore(const std::function<Scenario()>& make, int preemptions);

/// In a fiber: notes that something is wrong with this order.
void FailOrder(const std::string& what);

}  // namespace testing
}  // namespace plumb

#endif  // PLUMB_TEST_RUNTIME_QUEUE_EXPLORER_H_
