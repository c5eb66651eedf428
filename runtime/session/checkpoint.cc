// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A session's state as a safetensors file: every variable by its name, and in the file's metadata what else a run needs to
// go on bit for bit: the seed, the steps made and, by queue, the batches taken. Random streams and shuffles are functions of
// the seed and of these counts, so nothing more has to be kept.

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "runtime/base/element_type.h"
#include "runtime/base/status.h"
#include "runtime/checkpoint/safetensors.h"
#include "runtime/session/session.h"

namespace plumb {
namespace {

constexpr char kFormat[] = "plumb.format";
constexpr char kSeed[] = "plumb.seed";
constexpr char kSteps[] = "plumb.steps";

std::string PositionKey(const std::string& queue) { return absl::StrCat("plumb.queue.", queue, ".batches"); }

/// Reads a count from the metadata; `fallback` where the file does not say.
absl::StatusOr<uint64_t> ReadCount(const std::map<std::string, std::string>& metadata, const std::string& key,
                                   uint64_t fallback) {
  auto entry = metadata.find(key);
  if (entry == metadata.end()) return fallback;
  uint64_t value = 0;
  if (absl::SimpleAtoi(entry->second, &value)) return value;
  return absl::DataLossError(absl::StrCat("metadata '", key, "' is no number: '", entry->second, "'"));
}

/// The file's tensor for a variable, of the variable's very type.
absl::StatusOr<const CheckpointTensor*> Match(const Checkpoint& checkpoint, const abi::Variable& variable) {
  const std::string name = variable.name()->str();
  const CheckpointTensor* tensor = checkpoint.Find(name);
  if (tensor == nullptr) return absl::NotFoundError(absl::StrCat("there is no tensor for variable '", name, "'"));
  absl::Span<const int64_t> shape = ShapeOf(*variable.type());
  if (tensor->element == variable.type()->element() && absl::MakeConstSpan(tensor->shape) == shape) return tensor;
  return absl::InvalidArgumentError(absl::StrCat("tensor '", name, "' is ",
                                                 TensorTypeString(tensor->element, tensor->shape), ", the variable is ",
                                                 TensorTypeString(variable.type()->element(), shape)));
}

}  // namespace

absl::Status Session::Save(const std::string& path) {
  PLUMB_RETURN_IF_ERROR(CheckIdle());
  std::vector<CheckpointTensor> tensors;
  const auto* variables = executable_->manifest().variables();
  for (size_t i = 0; variables != nullptr && i < variables->size(); ++i) {
    const abi::Variable& variable = *variables->Get(static_cast<flatbuffers::uoffset_t>(i));
    absl::Span<const int64_t> shape = ShapeOf(*variable.type());
    CheckpointTensor tensor;
    tensor.name = variable.name()->str();
    tensor.element = variable.type()->element();
    tensor.shape.assign(shape.begin(), shape.end());
    tensor.data = Bytes(variable);
    tensors.push_back(std::move(tensor));
  }
  std::map<std::string, std::string> metadata = {
      {kFormat, "1"}, {kSeed, absl::StrCat(seed_)}, {kSteps, absl::StrCat(total_steps_)}};
  for (const auto& feed : feeds_) metadata[PositionKey(feed->queue().name())] = absl::StrCat(feed->position());
  return WriteCheckpoint(path, tensors, metadata);
}

absl::Status Session::Load(const std::string& path) {
  PLUMB_RETURN_IF_ERROR(CheckIdle());
  PLUMB_ASSIGN_OR_RETURN(Checkpoint checkpoint, Checkpoint::Read(path));
  // All of the file is matched before any state changes.
  std::vector<std::pair<absl::Span<uint8_t>, const CheckpointTensor*>> copies;
  const auto* variables = executable_->manifest().variables();
  for (size_t i = 0; variables != nullptr && i < variables->size(); ++i) {
    const abi::Variable& variable = *variables->Get(static_cast<flatbuffers::uoffset_t>(i));
    auto tensor = Match(checkpoint, variable);
    if (!tensor.ok()) return Annotate(tensor.status(), path);
    copies.emplace_back(Bytes(variable), *tensor);
  }
  auto steps = ReadCount(checkpoint.metadata(), kSteps, 0);
  if (!steps.ok()) return Annotate(steps.status(), path);
  auto seed = ReadCount(checkpoint.metadata(), kSeed, seed_);
  if (!seed.ok()) return Annotate(seed.status(), path);
  std::vector<uint64_t> positions;
  for (const auto& feed : feeds_) {
    auto position = ReadCount(checkpoint.metadata(), PositionKey(feed->queue().name()), 0);
    if (!position.ok()) return Annotate(position.status(), path);
    positions.push_back(*position);
  }
  for (const auto& copy : copies) std::copy(copy.second->data.begin(), copy.second->data.end(), copy.first.begin());
  for (size_t i = 0; i < feeds_.size(); ++i) PLUMB_RETURN_IF_ERROR(feeds_[i]->Resume(positions[i], *seed));
  seed_ = *seed;
  total_steps_ = *steps;
  return absl::OkStatus();
}

}  // namespace plumb
