// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The variables of kernels that measure themselves (plumbc --symbols=timers), one per kernel, named by this prefix and
// the kernel's name: an array of uint64_t with the number of calls, then a ring of the last calls' ticks. Call n is at
// 1 + n % PLUMB_TIMER_LENGTH.
#ifndef PLUMB_RUNTIME_ABI_KERNEL_TIMER_H_
#define PLUMB_RUNTIME_ABI_KERNEL_TIMER_H_

#define PLUMB_TIMER_PREFIX "plumb_timer."
#define PLUMB_TIMER_LENGTH 1024u

#endif  // PLUMB_RUNTIME_ABI_KERNEL_TIMER_H_
