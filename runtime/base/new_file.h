// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file that appears under its name whole or not at all: temporary name in the same folder, fsync, rename, fsync of
// the folder. A crash leaves the old file or the new one, and a temporary that the next writer of the same name
// removes.

#ifndef PLUMB_RUNTIME_BASE_NEW_FILE_H_
#define PLUMB_RUNTIME_BASE_NEW_FILE_H_

#include <cstddef>
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace plumb {

/// One file on its way to `path`. Its temporary vanishes unless Commit succeeds.
class NewFile {
 public:
  explicit NewFile(std::string path) : path_(std::move(path)) {}
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// Why no file could be put at `path`, found out by making and removing its temporary: a folder that is missing or
  /// cannot be written to, or something at `path` that is no regular file and must not be replaced by one.
  static absl::Status Probe(const std::string& path);

  /// Removes the temporaries that dead processes left in `folder` on their way to names that `is_wanted` takes.
  static void RemoveStale(const std::string& folder, const std::function<bool(absl::string_view name)>& is_wanted);

  /// Makes the temporary, and removes those that dead processes left for the same name.
  absl::Status Create();
  absl::Status Write(const void* data, size_t size);
  /// The bytes are on the disk before the name is, and the name before this returns.
  absl::Status Commit();

 private:
  absl::Status Error() const;
  void SyncFolder() const;

  const std::string path_;
  std::string temporary_;  // empty: there is none
  int file_ = -1;          // holds a lock, by which others see that the temporary is in use
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_BASE_NEW_FILE_H_
