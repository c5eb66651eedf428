// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The executable ABI's counters are plain integers in C structs; compiled code and the runtime access them atomically,
// by release stores and acquire loads.

#ifndef PLUMB_RUNTIME_BASE_ATOMICS_H_
#define PLUMB_RUNTIME_BASE_ATOMICS_H_

// A test that decides who goes on may be told of each access (test/runtime/queue/explorer.h).
#ifdef PLUMB_SCHEDULE_POINTS
extern "C" void plumb_schedule_point();
#else
inline void plumb_schedule_point() {}
#endif

namespace plumb {

template <typename T>
T LoadAcquire(const T* place) {
  plumb_schedule_point();
  return __atomic_load_n(place, __ATOMIC_ACQUIRE);
}

template <typename T>
void StoreRelease(T* place, T value) {
  plumb_schedule_point();
  __atomic_store_n(place, value, __ATOMIC_RELEASE);
}

}  // namespace plumb

#endif  // PLUMB_RUNTIME_BASE_ATOMICS_H_
