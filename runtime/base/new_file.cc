// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/base/new_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/status.h"

namespace plumb {
namespace {

constexpr char kInfix[] = ".tmp-";
constexpr size_t kRandomDigits = 16;

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

absl::string_view NameOf(absl::string_view path) { return path.substr(path.rfind('/') + 1); }

absl::Status CannotWrite(const std::string& path, absl::string_view why) {
  return absl::UnavailableError(absl::StrCat("cannot write '", path, "': ", why));
}

/// Fails where `path` is something that a rename would replace although no file was there.
absl::Status CheckTarget(const std::string& path) {
  if (NameOf(path).empty()) return CannotWrite(path, path.empty() ? "the path is empty" : "it names a folder");
  struct stat info;
  if (lstat(path.c_str(), &info) != 0) {
    return errno == ENOENT ? absl::OkStatus() : CannotWrite(path, std::strerror(errno));
  }
  if (S_ISREG(info.st_mode)) return absl::OkStatus();
  if (S_ISDIR(info.st_mode)) return CannotWrite(path, "it is a folder");
  if (S_ISLNK(info.st_mode)) {
    return CannotWrite(path, "it is a symbolic link, which the new file would replace; name the file it points at");
  }
  return CannotWrite(path, "it is a device, pipe or socket, not a regular file");
}

/// Makes an empty, locked file of a name that nobody has; -1, with errno, if that fails.
int MakeTemporary(const std::string& path, std::string* temporary) {
  for (;;) {
    uint64_t random = 0;
    if (getrandom(&random, sizeof(random), 0) != sizeof(random)) return -1;
    *temporary = absl::StrCat(path, kInfix, absl::Hex(random, absl::kZeroPad16));
    const int file = open(temporary->c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (file < 0 && errno == EEXIST) continue;
    if (file < 0) return -1;
    // Somebody who took the file for stale, before it was locked, has removed it.
    struct stat info;
    if (flock(file, LOCK_EX) == 0 && fstat(file, &info) == 0 && info.st_nlink == 0) {
      close(file);
      continue;
    }
    return file;
  }
}

/// Removes a temporary unless its writer lives, and so holds its lock.
void RemoveIfStale(const std::string& temporary) {
  const int file = open(temporary.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return;
  struct stat info;
  if (fstat(file, &info) == 0 && S_ISREG(info.st_mode) && flock(file, LOCK_EX | LOCK_NB) == 0)
    unlink(temporary.c_str());
  close(file);
}

}  // namespace

NewFile::~NewFile() {
  if (!temporary_.empty()) unlink(temporary_.c_str());
  if (file_ >= 0) close(file_);
}

absl::Status NewFile::Probe(const std::string& path) {
  NewFile file(path);
  return file.Create();
}

absl::Status NewFile::Error() const { return CannotWrite(path_, std::strerror(errno)); }

absl::Status NewFile::Create() {
  PLUMB_RETURN_IF_ERROR(CheckTarget(path_));
  RemoveStale(FolderOf(path_), [this](absl::string_view name) { return name == NameOf(path_); });
  std::string temporary;
  file_ = MakeTemporary(path_, &temporary);
  if (file_ < 0) return Error();
  temporary_ = std::move(temporary);
  return absl::OkStatus();
}

absl::Status NewFile::Write(const void* data, size_t size) {
  const char* bytes = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = write(file_, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return Error();
    bytes += written;
    size -= static_cast<size_t>(written);
  }
  return absl::OkStatus();
}

absl::Status NewFile::Commit() {
  if (fsync(file_) != 0) return Error();
  // Looked at again, because much time may have passed since Create.
  PLUMB_RETURN_IF_ERROR(CheckTarget(path_));
  if (rename(temporary_.c_str(), path_.c_str()) != 0) return Error();
  temporary_.clear();
  SyncFolder();
  const int closed = close(file_);
  file_ = -1;
  return closed == 0 ? absl::OkStatus() : Error();
}

void NewFile::RemoveStale(const std::string& folder, const std::function<bool(absl::string_view name)>& is_wanted) {
  struct Close {
    void operator()(DIR* entries) const { closedir(entries); }
  };
  const std::unique_ptr<DIR, Close> entries(opendir(folder.c_str()));
  while (const dirent* entry = entries == nullptr ? nullptr : readdir(entries.get())) {
    const absl::string_view name = entry->d_name;
    const size_t infix = name.rfind(kInfix);
    if (infix == absl::string_view::npos || name.size() != infix + sizeof(kInfix) - 1 + kRandomDigits) continue;
    if (is_wanted(name.substr(0, infix))) RemoveIfStale(absl::StrCat(folder, "/", name));
  }
}

/// Some file systems cannot sync a folder; the file is whole all the same.
void NewFile::SyncFolder() const {
  const int folder = open(FolderOf(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  fsync(folder);
  close(folder);
}

}  // namespace plumb
