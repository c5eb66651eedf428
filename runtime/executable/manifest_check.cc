// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/executable/manifest_check.h"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/abi/versions.h"
#include "runtime/base/element_type.h"
#include "runtime/base/status.h"

namespace plumb {
namespace {

// More than any machine has; keeps sums of checked sizes far from overflow.
constexpr uint64_t kMaxBlockBytes = uint64_t{1} << 44;
constexpr uint32_t kMaxQueueDepth = 1 << 16;

template <typename... Parts>
absl::Status Corrupted(const Parts&... parts) {
  return absl::DataLossError(absl::StrCat("corrupted manifest: ", parts...));
}

std::string Text(const flatbuffers::String* text) { return text ? text->str() : std::string(); }

/// Bytes taken at an offset, to be found inside a block and apart from each other.
struct Range {
  uint64_t offset;
  uint64_t bytes;
  std::string owner;
};

absl::Status CheckRanges(std::vector<Range> ranges, uint64_t block, const std::string& what) {
  // Empty ranges take no place: several may begin where another does.
  std::sort(ranges.begin(), ranges.end(),
            [](const Range& a, const Range& b) { return std::tie(a.offset, a.bytes) < std::tie(b.offset, b.bytes); });
  uint64_t end = 0;
  for (const Range& range : ranges) {
    if (range.offset > block || range.bytes > block - range.offset) {
      return Corrupted(range.owner, " lies outside ", what, " of ", block, " bytes");
    }
    if (range.offset < end) return Corrupted(range.owner, " overlaps its neighbour in ", what);
    end = range.offset + range.bytes;
  }
  return absl::OkStatus();
}

absl::Status CheckName(const flatbuffers::String* name, const std::string& what, std::set<std::string>* seen) {
  if (name == nullptr || name->size() == 0) return Corrupted("a ", what, " has no name");
  if (!seen->insert(name->str()).second) return Corrupted("two ", what, "s are called '", name->str(), "'");
  return absl::OkStatus();
}

absl::Status CheckVariable(const abi::Variable& variable, uint64_t bytes) {
  const std::string owner = absl::StrCat("variable '", Text(variable.name()), "'");
  if (variable.offset() % PLUMB_BUFFER_ALIGNMENT) return Corrupted(owner, " is misaligned");
  if ((variable.rule() != nullptr) == (variable.data() != nullptr)) {
    return Corrupted(owner, " needs either a rule or data for its initial value");
  }
  if (variable.rule() && variable.rule()->kind() == nullptr) return Corrupted(owner, " has a rule without a kind");
  if (variable.data() && variable.data()->size() != bytes) {
    return Corrupted(owner, " has ", variable.data()->size(), " bytes of data; its type has ", bytes);
  }
  return absl::OkStatus();
}

absl::Status CheckVariables(const abi::Manifest& manifest) {
  if (manifest.variables() == nullptr) return absl::OkStatus();
  std::set<std::string> names;
  std::vector<Range> ranges;
  for (const abi::Variable* variable : *manifest.variables()) {
    PLUMB_RETURN_IF_ERROR(CheckName(variable->name(), "variable", &names));
    auto bytes = TypeBytes(variable->type());
    if (!bytes.ok()) return Annotate(bytes.status(), absl::StrCat("variable '", Text(variable->name()), "'"));
    PLUMB_RETURN_IF_ERROR(CheckVariable(*variable, *bytes));
    ranges.push_back({variable->offset(), *bytes, absl::StrCat("variable '", Text(variable->name()), "'")});
  }
  return CheckRanges(std::move(ranges), manifest.variables_bytes(), "the variables block");
}

absl::Status CheckQueue(const abi::Queue& queue) {
  const std::string owner = absl::StrCat("queue '", Text(queue.name()), "'");
  if (queue.columns() == nullptr || queue.columns()->size() == 0) return Corrupted(owner, " has no columns");
  if (queue.depth() == 0 || queue.depth() > kMaxQueueDepth) return Corrupted(owner, " has a depth of ", queue.depth());
  if (queue.slot_bytes() % PLUMB_BUFFER_ALIGNMENT || queue.slot_bytes() > kMaxBlockBytes / queue.depth()) {
    return Corrupted(owner, " has slots of ", queue.slot_bytes(), " bytes");
  }
  std::set<std::string> names;
  std::vector<Range> ranges;
  for (const abi::Column* column : *queue.columns()) {
    PLUMB_RETURN_IF_ERROR(CheckName(column->name(), "column", &names));
    auto bytes = TypeBytes(column->type());
    if (!bytes.ok()) return Annotate(bytes.status(), owner);
    if (column->offset() % PLUMB_BUFFER_ALIGNMENT) return Corrupted("a column of ", owner, " is misaligned");
    ranges.push_back({column->offset(), *bytes, absl::StrCat("column '", Text(column->name()), "'")});
  }
  return CheckRanges(std::move(ranges), queue.slot_bytes(), absl::StrCat("a slot of ", owner));
}

bool IsSignedInteger(abi::ElementType element) {
  return element == abi::ElementType::i8 || element == abi::ElementType::i16 || element == abi::ElementType::i32 ||
         element == abi::ElementType::i64;
}

absl::Status CheckPrintFormat(const abi::PrintFormat& format, uint64_t print_bytes, const std::string& owner) {
  const size_t values = format.values() == nullptr ? 0 : format.values()->size();
  if (format.texts() == nullptr || format.texts()->size() != values + 1) {
    return Corrupted("a print of ", owner, " has ", format.texts() == nullptr ? 0 : format.texts()->size(),
                     " texts for ", values, " values");
  }
  std::vector<Range> ranges = {{0, 2 * sizeof(uint64_t), "the numbers of the step and the print"}};
  for (size_t i = 0; i < values; ++i) {
    const abi::PrintValue& value = *format.values()->Get(static_cast<flatbuffers::uoffset_t>(i));
    auto bytes = TypeBytes(value.type());
    if (!bytes.ok()) return Annotate(bytes.status(), owner);
    ranges.push_back({value.offset(), *bytes, absl::StrCat("value ", i, " of a print")});
  }
  return CheckRanges(std::move(ranges), print_bytes, absl::StrCat("a record of the prints of ", owner));
}

absl::Status CheckPrintFormats(const abi::Loop& loop, const std::string& owner) {
  if (loop.print_formats() == nullptr) return absl::OkStatus();
  if (loop.print_bytes() > kMaxBlockBytes || loop.print_bytes() % 8) {
    return Corrupted(owner, " has records of prints of ", loop.print_bytes(), " bytes");
  }
  for (const abi::PrintFormat* format : *loop.print_formats()) {
    PLUMB_RETURN_IF_ERROR(CheckPrintFormat(*format, loop.print_bytes(), owner));
  }
  return absl::OkStatus();
}

/// What the record of a step holds, so far.
struct StepRecord {
  const std::string& owner;
  std::vector<Range> ranges = {{0, sizeof(uint64_t), "the step's number"}};
  std::set<std::string> names = {};

  absl::Status Add(const abi::Report& report) {
    PLUMB_RETURN_IF_ERROR(CheckName(report.name(), "report", &names));
    auto bytes = TypeBytes(report.type());
    if (!bytes.ok()) return Annotate(bytes.status(), owner);
    ranges.push_back({report.offset(), *bytes, absl::StrCat("report '", Text(report.name()), "'")});
    return absl::OkStatus();
  }
};

absl::Status CheckPrint(const abi::Print& print, uint64_t record_bytes, StepRecord& record) {
  if (print.when() < -1 || print.when() >= static_cast<int64_t>(record_bytes)) {
    return Corrupted("a print of ", record.owner, " depends on byte ", print.when(), " of a record");
  }
  return print.value() == nullptr ? absl::OkStatus() : record.Add(*print.value());
}

absl::Status CheckCheck(const abi::Check& check, StepRecord& record) {
  const abi::Report* value = check.value();
  if (value == nullptr) return Corrupted("a check of ", record.owner, " has no value");
  PLUMB_RETURN_IF_ERROR(record.Add(*value));
  if (!IsSignedInteger(value->type()->element()) || ShapeOf(*value->type()).size() != 0) {
    return Corrupted("a check of ", record.owner, " is of more than one signed integer");
  }
  return absl::OkStatus();
}

absl::Status CheckStepRecord(const abi::Loop& loop, const std::string& owner) {
  StepRecord record{owner};
  if (loop.reports() != nullptr) {
    for (const abi::Report* report : *loop.reports()) PLUMB_RETURN_IF_ERROR(record.Add(*report));
  }
  if (loop.prints() != nullptr) {
    for (const abi::Print* print : *loop.prints()) {
      PLUMB_RETURN_IF_ERROR(CheckPrint(*print, loop.record_bytes(), record));
    }
  }
  if (loop.checks() != nullptr) {
    for (const abi::Check* check : *loop.checks()) PLUMB_RETURN_IF_ERROR(CheckCheck(*check, record));
  }
  if (record.ranges.size() == 1) return absl::OkStatus();
  return CheckRanges(std::move(record.ranges), loop.record_bytes(), absl::StrCat("a record of ", owner));
}

absl::Status CheckLoop(const abi::Loop& loop, size_t queue_count) {
  const std::string owner = absl::StrCat("loop '", Text(loop.name()), "'");
  if (loop.queue() < -1 || loop.queue() >= static_cast<int64_t>(queue_count)) {
    return Corrupted(owner, " pulls from queue ", loop.queue(), " of ", queue_count);
  }
  if (loop.sink_size() == 0 || loop.sink_size() < -1 || loop.epochs() < 0) {
    return Corrupted(owner, " has sink size ", loop.sink_size(), " and ", loop.epochs(), " epochs");
  }
  if (loop.record_bytes() < sizeof(uint64_t) || loop.record_bytes() > kMaxBlockBytes || loop.record_bytes() % 8) {
    return Corrupted(owner, " has report records of ", loop.record_bytes(), " bytes");
  }
  PLUMB_RETURN_IF_ERROR(CheckStepRecord(loop, owner));
  return CheckPrintFormats(loop, owner);
}

/// Fails unless `version` of `what` lies between the oldest and the newest that this runtime understands.
absl::Status CheckVersion(const abi::Manifest& manifest, absl::string_view what, uint32_t version, uint32_t oldest,
                          uint32_t newest) {
  if (version >= oldest && version <= newest) return absl::OkStatus();
  return absl::UnimplementedError(absl::StrCat(version > newest ? "newer" : "older", " than this runtime: ", what, " ",
                                               version, ", understood are ", oldest, " to ", newest,
                                               "; it was made by Plumb ", Text(manifest.compiler_version()),
                                               ", this runtime is Plumb ", abi::kPlumbVersion));
}

absl::Status CheckVersions(const abi::Manifest& manifest) {
  PLUMB_RETURN_IF_ERROR(CheckVersion(manifest, "manifest schema", manifest.schema_version(),
                                     abi::kOldestManifestSchemaVersion, abi::kManifestSchemaVersion));
  return CheckVersion(manifest, "executable ABI", manifest.abi_version(), PLUMB_ABI_OLDEST_VERSION, PLUMB_ABI_VERSION);
}

absl::Status CheckMeaning(const abi::Manifest& manifest) {
  if (manifest.variables_bytes() > kMaxBlockBytes || manifest.arena_bytes() > kMaxBlockBytes) {
    return Corrupted("a memory block of ", std::max(manifest.variables_bytes(), manifest.arena_bytes()), " bytes");
  }
  PLUMB_RETURN_IF_ERROR(CheckVariables(manifest));
  std::set<std::string> queue_names;
  size_t queue_count = manifest.queues() ? manifest.queues()->size() : 0;
  for (size_t i = 0; i < queue_count; ++i) {
    PLUMB_RETURN_IF_ERROR(CheckName(manifest.queues()->Get(i)->name(), "queue", &queue_names));
    PLUMB_RETURN_IF_ERROR(CheckQueue(*manifest.queues()->Get(i)));
  }
  if (manifest.loops() == nullptr || manifest.loops()->size() == 0) return Corrupted("it has no loop");
  std::set<std::string> loop_names;
  for (const abi::Loop* loop : *manifest.loops()) {
    PLUMB_RETURN_IF_ERROR(CheckName(loop->name(), "loop", &loop_names));
    PLUMB_RETURN_IF_ERROR(CheckLoop(*loop, queue_count));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<const abi::Manifest*> ReadManifest(absl::Span<const uint8_t> bytes) {
  if (bytes.size() < 8 || !abi::ManifestBufferHasIdentifier(bytes.data())) {
    return Corrupted("it does not carry the mark '", abi::ManifestIdentifier(), "'");
  }
  flatbuffers::Verifier verifier(bytes.data(), bytes.size(), /*max_depth=*/64, /*max_tables=*/10000000);
  if (!abi::VerifyManifestBuffer(verifier)) return Corrupted("its FlatBuffers tables are damaged or truncated");
  const abi::Manifest* manifest = abi::GetManifest(bytes.data());
  PLUMB_RETURN_IF_ERROR(CheckVersions(*manifest));
  PLUMB_RETURN_IF_ERROR(CheckMeaning(*manifest));
  return manifest;
}

absl::StatusOr<uint64_t> TypeBytes(const abi::TensorType* type) {
  if (type == nullptr) return Corrupted("a type is missing");
  auto bytes = TensorBytes(type->element(), ShapeOf(*type));
  if (!bytes.ok()) return Corrupted(bytes.status().message());
  if (*bytes > kMaxBlockBytes) return Corrupted("impossible type ", TypeText(*type));
  return bytes;
}

std::string TypeText(const abi::TensorType& type) { return TensorTypeString(type.element(), ShapeOf(type)); }

}  // namespace plumb
