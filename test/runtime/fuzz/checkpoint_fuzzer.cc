// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Safetensors files, Plumb's and others': what is read is written, and read again it is the same.

#include <cstring>
#include <vector>

#include "runtime/checkpoint/safetensors.h"
#include "test/runtime/fuzz/fuzzer.h"

namespace {

using plumb::Checkpoint;

bool Same(const Checkpoint& a, const Checkpoint& b) {
  if (a.tensors().size() != b.tensors().size()) return false;
  for (const plumb::CheckpointTensor& tensor : a.tensors()) {
    const plumb::CheckpointTensor* other = b.Find(tensor.name);
    if (other == nullptr || other->element != tensor.element || other->shape != tensor.shape ||
        other->data != tensor.data) {
      return false;
    }
  }
  return true;
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  auto checkpoint = Checkpoint::Parse(std::vector<uint8_t>(data, data + size), "fuzzed");
  plumb::fuzz::CheckMessage(checkpoint.status());
  if (!checkpoint.ok()) return 0;
  static const std::string path = std::string(std::getenv("TEST_TMPDIR") ? std::getenv("TEST_TMPDIR") : "/dev/shm") +
                                  "/" + std::to_string(reinterpret_cast<uintptr_t>(&path)) + ".fuzz.safetensors";
  const absl::Status written = plumb::WriteCheckpoint(path, checkpoint->tensors(), checkpoint->metadata());
  plumb::fuzz::CheckMessage(written);
  if (!written.ok()) return 0;  // keys or names that only other tools' files may have
  auto again = Checkpoint::Read(path);
  if (!again.ok() || !Same(*checkpoint, *again)) std::abort();
  return 0;
}
