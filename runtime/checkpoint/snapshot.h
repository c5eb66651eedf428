// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of a run between two steps, in memory of its own, so that it can be written while the run goes on.

#ifndef PLUMB_RUNTIME_CHECKPOINT_SNAPSHOT_H_
#define PLUMB_RUNTIME_CHECKPOINT_SNAPSHOT_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "runtime/checkpoint/safetensors.h"

namespace plumb {

struct Snapshot {
  std::vector<uint8_t> block;  // what `tensors` point into
  std::vector<CheckpointTensor> tensors;
  std::map<std::string, std::string> metadata;
  uint64_t steps = 0;
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_CHECKPOINT_SNAPSHOT_H_
