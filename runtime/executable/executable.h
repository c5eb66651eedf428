// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loaded `.plumb` file. Loading goes in one order that never runs a byte of the file before all of it is checked:
//
//   start ► read ► (signature ►) ELF tables ► manifest section ► FlatBuffers verifier ► versions ► sizes and offsets ►
//   checksums
//         ► load plan ► machine ► CPU ► mapping ► plumb_executable_query ► its table against the manifest
//
// What is mapped is a copy of the very bytes that were checked.

#ifndef PLUMB_RUNTIME_EXECUTABLE_EXECUTABLE_H_
#define PLUMB_RUNTIME_EXECUTABLE_EXECUTABLE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/abi/executable_abi.h"
#include "runtime/abi/manifest_generated.h"
#include "runtime/base/aligned_buffer.h"
#include "runtime/executable/code_memory.h"
#include "runtime/executable/elf_image.h"
#include "runtime/executable/load_plan.h"

namespace plumb {

/// The manifest of an executable that is read and checked but not mapped: all that plumb-dump needs.
class ExecutableImage {
 public:
  /// Whether a program that --emit=exe made will do, too. It has neither checksums nor a plan.
  enum class Programs { kRefused, kTaken };
  /// Every check above but those of machine and CPU. Errors name `name`.
  static absl::StatusOr<ExecutableImage> Parse(absl::Span<const uint8_t> file, absl::string_view name,
                                               Programs programs = Programs::kRefused);

  const abi::Manifest& manifest() const { return *manifest_; }
  uint64_t file_bytes() const { return file_bytes_; }
  uint64_t text_bytes() const { return text_bytes_; }
  const LoadPlan& plan() const { return plan_; }

 private:
  AlignedBuffer bytes_;  // the manifest section's own copy, aligned
  const abi::Manifest* manifest_ = nullptr;
  uint64_t file_bytes_ = 0;
  uint64_t text_bytes_ = 0;
  LoadPlan plan_;
};

/// Looks at a whole file before any byte of it but the sizes in its header is interpreted, and refuses it by an error:
/// a signature's check.
using FileCheck = std::function<absl::Status(absl::Span<const uint8_t> file)>;

/// An executable whose code is mapped. Immutable; sessions share it.
class Executable {
 public:
  /// Loads a file that passes `check`, where there is one. Errors name it.
  static absl::StatusOr<std::shared_ptr<const Executable>> Load(const std::string& path,
                                                                const FileCheck& check = nullptr);
  /// Loads a copy of `file`; `name` stands for it in errors.
  static absl::StatusOr<std::shared_ptr<const Executable>> LoadFromMemory(absl::Span<const uint8_t> file,
                                                                          const std::string& name);
  /// Takes an executable that is linked into this program. Both arguments live forever.
  static absl::StatusOr<std::shared_ptr<const Executable>> FromLinked(plumb_executable_query_fn query,
                                                                      absl::Span<const uint8_t> manifest);
  Executable(const Executable&) = delete;
  Executable& operator=(const Executable&) = delete;

  const abi::Manifest& manifest() const { return *manifest_; }
  uint64_t file_bytes() const { return image_.file_bytes(); }

  /// Position of a loop, queue or variable of the manifest by name; NotFound lists the names there are.
  absl::StatusOr<size_t> FindLoop(absl::string_view name) const;
  absl::StatusOr<size_t> FindQueue(absl::string_view name) const;
  absl::StatusOr<size_t> FindVariable(absl::string_view name) const;

  plumb_loop_fn loop(size_t index) const { return table_->loops[index].run; }
  /// Where address 0 of the file's code lies in memory; null for one that is linked into the program.
  const uint8_t* load_address() const { return code_.base(); }

 private:
  Executable() = default;
  absl::Status Map(absl::Span<const uint8_t> file);
  absl::Status TakeTable(plumb_executable_query_fn query);
  absl::Status CheckTable() const;
  bool IsInside(const void* address, size_t size, bool is_code = false) const;

  ExecutableImage image_;
  CodeMemory code_;
  AlignedBuffer linked_manifest_;
  const abi::Manifest* manifest_ = nullptr;
  const plumb_executable_table_t* table_ = nullptr;
};

/// Reads a whole file, once its size and its first bytes look like those of an executable, and has it pass `check`,
/// where there is one, before it looks at anything else. Errors name it.
absl::StatusOr<AlignedBuffer> ReadExecutableFile(const std::string& path, const FileCheck& check = nullptr);

}  // namespace plumb

#endif  // PLUMB_RUNTIME_EXECUTABLE_EXECUTABLE_H_
