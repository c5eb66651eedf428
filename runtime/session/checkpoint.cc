// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A session's state as a safetensors file: every variable by its name, and in the file's metadata what else a run needs
// to go on bit for bit: the seed, the steps made and, by queue, the batches taken. Random streams and shuffles are
// functions of the seed and of these counts, so nothing more has to be kept.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_join.h"
#include "runtime/base/element_type.h"
#include "runtime/base/status.h"
#include "runtime/checkpoint/safetensors.h"
#include "runtime/session/session.h"

namespace plumb {
namespace {

constexpr char kSeed[] = "plumb.seed";
constexpr char kSteps[] = "plumb.steps";
constexpr char kQueuePrefix[] = "plumb.queue.";
// Files before this format cannot show by a checksum that a key which they lack was never there.
constexpr uint32_t kFirstTrustedFormat = 2;

std::string PositionKey(const std::string& queue) { return absl::StrCat(kQueuePrefix, queue, ".batches"); }

absl::StatusOr<uint64_t> ReadCount(const Checkpoint& checkpoint, const std::string& key) {
  auto entry = checkpoint.metadata().find(key);
  if (entry == checkpoint.metadata().end())
    return absl::DataLossError(absl::StrCat("damaged: it has no key '", key, "'"));
  uint64_t value = 0;
  if (absl::SimpleAtoi(entry->second, &value)) return value;
  return absl::DataLossError(
      absl::StrCat("damaged: the key '", key, "' should hold a number, not '", entry->second, "'"));
}

/// Whether the file holds the state of a run, or variables alone.
bool HoldsRun(const Checkpoint& checkpoint) {
  if (checkpoint.format() < kFirstTrustedFormat) return checkpoint.format() > 0;
  return checkpoint.metadata().count(kSteps) != 0;
}

/// Where the file stands in the data of `queue`. A queue that it does not know begins with its first batch, which
/// `notes` hear.
absl::StatusOr<uint64_t> ReadPosition(const Checkpoint& checkpoint, const std::string& queue,
                                      std::vector<std::string>* notes) {
  const std::string key = PositionKey(queue);
  if (checkpoint.metadata().count(key)) return ReadCount(checkpoint, key);
  if (checkpoint.format() < kFirstTrustedFormat) {
    return absl::DataLossError(
        absl::StrCat("it has no key '", key,
                     "', and no checksum that would show that it is whole: it is damaged, or comes "
                     "from another program; load it with that program and save it anew"));
  }
  notes->push_back(absl::StrCat("it knows no queue '", queue, "', whose data begin with the first batch"));
  return 0;
}

/// Names of a list in quotes, the first ten of a long one.
std::string Names(const std::vector<std::string>& names) {
  constexpr size_t kShown = 10;
  std::vector<std::string> shown;
  for (size_t i = 0; i < names.size() && i < kShown; ++i) shown.push_back(absl::StrCat("'", names[i], "'"));
  std::string text = absl::StrJoin(shown, ", ");
  if (names.size() > kShown) absl::StrAppend(&text, " and ", names.size() - kShown, " more");
  return text;
}

/// Compares the variables of a program with the tensors of a file; what differs is said all at once.
class Matcher {
 public:
  static absl::StatusOr<Matcher> Create(const Checkpoint& checkpoint, const NameMap* names) {
    Matcher matcher;
    matcher.names_ = names;
    std::vector<std::string> theirs;
    for (const CheckpointTensor& tensor : checkpoint.tensors()) theirs.push_back(tensor.name);
    PLUMB_ASSIGN_OR_RETURN(auto ours, (names != nullptr ? *names : NameMap()).Apply(theirs));
    for (size_t i = 0; i < ours.size(); ++i) {
      if (ours[i].has_value()) matcher.tensors_[*ours[i]] = &checkpoint.tensors()[i];
    }
    return matcher;
  }

  /// The file's tensor for a variable, of the variable's very type; null if there is none.
  const CheckpointTensor* Match(const abi::Variable& variable) {
    const std::string name = variable.name()->str();
    auto found = tensors_.find(name);
    if (found == tensors_.end()) {
      (names_ != nullptr && names_->MayLack(name) ? lacking_ : missing_).push_back(name);
      return nullptr;
    }
    const CheckpointTensor* tensor = found->second;
    tensors_.erase(found);
    absl::Span<const int64_t> shape = ShapeOf(*variable.type());
    if (tensor->element == variable.type()->element() && absl::MakeConstSpan(tensor->shape) == shape) return tensor;
    different_.push_back(absl::StrCat("tensor '", name, "' is ", TensorTypeString(tensor->element, tensor->shape),
                                      ", the variable is ", TensorTypeString(variable.type()->element(), shape)));
    return nullptr;
  }

  /// Variables that the file lacks, as the map of names allows.
  const std::vector<std::string>& lacking() const { return lacking_; }

  /// Tensors that no variable took are no fault by themselves, but they show what a missing one may be called.
  absl::Status Finish() const {
    if (missing_.empty() && different_.empty()) return absl::OkStatus();
    std::vector<std::string> parts = different_;
    if (!missing_.empty()) {
      parts.insert(parts.begin(), absl::StrCat("there is no tensor for ",
                                               missing_.size() == 1 ? "variable " : "variables ", Names(missing_)));
      std::vector<std::string> unused;
      for (const auto& entry : tensors_) unused.push_back(entry.first);
      if (!unused.empty()) parts.push_back(absl::StrCat("no variable takes ", Names(unused)));
    }
    return absl::InvalidArgumentError(absl::StrJoin(parts, "; "));
  }

 private:
  const NameMap* names_ = nullptr;
  std::map<std::string, const CheckpointTensor*> tensors_;
  std::vector<std::string> missing_, different_, lacking_;
};

}  // namespace

std::map<std::string, std::string> Session::RunMetadata() const {
  std::map<std::string, std::string> metadata = {{kSeed, absl::StrCat(seed_)}, {kSteps, absl::StrCat(total_steps_)}};
  for (const auto& feed : feeds_) metadata[PositionKey(feed->queue().name())] = absl::StrCat(feed->position());
  return metadata;
}

std::vector<CheckpointTensor> Session::Tensors(absl::Span<const uint8_t> block) const {
  std::vector<CheckpointTensor> tensors;
  const auto* variables = executable_->manifest().variables();
  for (size_t i = 0; variables != nullptr && i < variables->size(); ++i) {
    const abi::Variable& variable = VariableAt(i);
    absl::Span<const int64_t> shape = ShapeOf(*variable.type());
    CheckpointTensor tensor;
    tensor.name = variable.name()->str();
    tensor.element = variable.type()->element();
    tensor.shape.assign(shape.begin(), shape.end());
    tensor.data = block.subspan(variable.offset(), TensorBytes(tensor.element, shape).value_or(0));
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

absl::Status Session::TakeSnapshot(Snapshot* snapshot) const {
  PLUMB_RETURN_IF_ERROR(CheckIdle());
  snapshot->block.resize(variables_->size());
  PLUMB_RETURN_IF_ERROR(device_->CopyOut(*variables_, 0, absl::MakeSpan(snapshot->block)));
  snapshot->tensors = Tensors(snapshot->block);
  snapshot->metadata = RunMetadata();
  snapshot->steps = total_steps_;
  return absl::OkStatus();
}

absl::Status Session::Save(const std::string& path) const {
  PLUMB_RETURN_IF_ERROR(CheckIdle());
  std::vector<uint8_t> copy;
  PLUMB_ASSIGN_OR_RETURN(auto block, ReadVariables(&copy));
  return WriteCheckpoint(path, Tensors(block), RunMetadata());
}

absl::Status Session::Load(const std::string& path, const LoadOptions& options, std::vector<std::string>* notes) {
  PLUMB_RETURN_IF_ERROR(CheckIdle());
  PLUMB_ASSIGN_OR_RETURN(Checkpoint checkpoint, Checkpoint::Read(path));
  std::vector<std::string> said;
  PLUMB_RETURN_IF_ERROR(Annotate(Restore(checkpoint, options, &said), path));
  if (notes != nullptr) {
    for (const std::string& note : said) notes->push_back(absl::StrCat(path, ": ", note));
  }
  return absl::OkStatus();
}

/// Matches all of the file before any state changes.
absl::Status Session::Restore(const Checkpoint& checkpoint, const LoadOptions& options,
                              std::vector<std::string>* notes) {
  std::vector<std::pair<uint64_t, const CheckpointTensor*>> copies;  // to an offset in the variables
  const auto* variables = executable_->manifest().variables();
  PLUMB_ASSIGN_OR_RETURN(Matcher matcher, Matcher::Create(checkpoint, options.names));
  for (size_t i = 0; variables != nullptr && i < variables->size(); ++i) {
    const abi::Variable& variable = VariableAt(i);
    copies.emplace_back(variable.offset(), matcher.Match(variable));
  }
  PLUMB_RETURN_IF_ERROR(matcher.Finish());
  if (!matcher.lacking().empty())
    notes->push_back(absl::StrCat("not in it, and as the program begins: ", Names(matcher.lacking())));
  uint64_t seed = seed_;
  uint64_t steps = 0;
  std::vector<uint64_t> positions(feeds_.size());
  if (HoldsRun(checkpoint)) {
    PLUMB_ASSIGN_OR_RETURN(steps, ReadCount(checkpoint, kSteps));
    PLUMB_ASSIGN_OR_RETURN(uint64_t its_seed, ReadCount(checkpoint, kSeed));
    if (!options.keep_seed) seed = its_seed;
    for (size_t i = 0; i < feeds_.size(); ++i) {
      PLUMB_ASSIGN_OR_RETURN(positions[i], ReadPosition(checkpoint, feeds_[i]->queue().name(), notes));
    }
  }
  for (const auto& [offset, tensor] : copies) {
    if (tensor != nullptr) PLUMB_RETURN_IF_ERROR(device_->CopyIn(*variables_, offset, tensor->data));
  }
  for (size_t i = 0; i < feeds_.size(); ++i) PLUMB_RETURN_IF_ERROR(feeds_[i]->Resume(positions[i], seed));
  seed_ = seed;
  total_steps_ = steps;
  return absl::OkStatus();
}

}  // namespace plumb
