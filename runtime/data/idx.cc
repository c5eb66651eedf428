// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/data/idx.h"

#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "runtime/base/status.h"

namespace plumb {
namespace {

constexpr uint64_t kMaxBytes = uint64_t{1} << 34;
// Memory grows by this much at a time, so that a header alone cannot ask for more than the data need.
constexpr uint64_t kMaxRead = uint64_t{1} << 26;
// DEFLATE packs at most 1032 bytes into one; a header that announces more than that lies.
constexpr uint64_t kMaxRatio = 1032;

// An open IDX file, plain or gzip; zlib tells which.
class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path) {}

  absl::Status Open() {
    struct stat info;
    if (stat(path_.c_str(), &info) != 0) return absl::NotFoundError(absl::StrCat(path_, ": ", strerror(errno)));
    if (!S_ISREG(info.st_mode)) return absl::InvalidArgumentError(absl::StrCat(path_, ": not a regular file"));
    file_bytes_ = static_cast<uint64_t>(info.st_size);
    file_.reset(gzopen(path_.c_str(), "rb"));
    if (!file_) return absl::NotFoundError(absl::StrCat(path_, ": ", strerror(errno)));
    gzbuffer(file_.get(), 1 << 18);
    return absl::OkStatus();
  }

  // Reads up to `count` bytes and returns how many there were.
  absl::StatusOr<uint64_t> Read(uint8_t* out, uint64_t count) {
    uint64_t done = 0;
    while (done < count) {
      unsigned chunk = static_cast<unsigned>(std::min<uint64_t>(count - done, 1 << 30));
      int got = gzread(file_.get(), out + done, chunk);
      if (got < 0) return Damaged();
      if (got == 0) break;
      done += static_cast<uint64_t>(got);
    }
    int code = Z_OK;
    gzerror(file_.get(), &code);
    if (done < count && code == Z_BUF_ERROR) return Damaged();  // the compressed stream stops in its middle
    return done;
  }

  // The most bytes that can come out of the file.
  uint64_t Bound() const { return gzdirect(file_.get()) ? file_bytes_ : file_bytes_ * kMaxRatio; }

 private:
  absl::Status Damaged() {
    int code = Z_OK;
    const char* why = gzerror(file_.get(), &code);
    if (code == Z_BUF_ERROR) {
      return absl::DataLossError(absl::StrCat(path_, ": truncated: the compressed data stop in their middle"));
    }
    return absl::DataLossError(absl::StrCat(path_, ": cannot be read: ", code == Z_ERRNO ? strerror(errno) : why));
  }

  struct Close {
    void operator()(gzFile file) const { gzclose(file); }
  };
  const std::string& path_;
  uint64_t file_bytes_ = 0;
  std::unique_ptr<std::remove_pointer_t<gzFile>, Close> file_;
};

uint32_t BigEndian(const uint8_t* bytes) {
  return uint32_t{bytes[0]} << 24 | uint32_t{bytes[1]} << 16 | uint32_t{bytes[2]} << 8 | bytes[3];
}

absl::Status ReadHeader(Reader& reader, const std::string& path, size_t dimensions, std::vector<int64_t>* shape) {
  std::vector<uint8_t> header(4 + 4 * dimensions);
  PLUMB_ASSIGN_OR_RETURN(uint64_t got, reader.Read(header.data(), header.size()));
  uint32_t magic = 0x0800 + static_cast<uint32_t>(dimensions);
  if (got >= 4 && BigEndian(header.data()) != magic) {
    return absl::DataLossError(absl::StrFormat("%s: magic number 0x%08x where an IDX file of %d dimensions has 0x%08x",
                                               path, BigEndian(header.data()), static_cast<int>(dimensions), magic));
  }
  if (got < header.size()) {
    return absl::DataLossError(
        absl::StrCat(path, ": truncated: ", got, " bytes, its header alone has ", header.size()));
  }
  shape->clear();
  for (size_t i = 0; i < dimensions; ++i) shape->push_back(BigEndian(header.data() + 4 + 4 * i));
  return absl::OkStatus();
}

}  // namespace

absl::Status ReadIdx(const std::string& path, size_t dimensions, std::vector<int64_t>* shape,
                     std::vector<uint8_t>* data, uint64_t max_rows) {
  Reader reader(path);
  PLUMB_RETURN_IF_ERROR(reader.Open());
  PLUMB_RETURN_IF_ERROR(ReadHeader(reader, path, dimensions, shape));
  uint64_t bytes = 1;
  bool overflow = false;
  for (int64_t size : *shape) overflow |= __builtin_mul_overflow(bytes, static_cast<uint64_t>(size), &bytes);
  std::string announced = absl::StrCat("its header announces ", absl::StrJoin(*shape, "x"), " bytes");
  if (overflow || bytes > kMaxBytes)
    return absl::DataLossError(absl::StrCat(path, ": ", announced, ", which is absurd"));
  if (bytes > reader.Bound()) {
    return absl::DataLossError(absl::StrCat(path, ": truncated: ", announced, ", more than the file can hold"));
  }
  const bool in_part = max_rows != 0 && max_rows < static_cast<uint64_t>((*shape)[0]);
  if (in_part) {
    bytes = bytes / static_cast<uint64_t>((*shape)[0]) * max_rows;
    (*shape)[0] = static_cast<int64_t>(max_rows);
  }
  for (uint64_t done = 0; done < bytes;) {
    uint64_t wanted = std::min(bytes - done, kMaxRead);
    size_t before = data->size();
    data->resize(before + wanted);
    PLUMB_ASSIGN_OR_RETURN(uint64_t got, reader.Read(data->data() + before, wanted));
    done += got;
    if (got < wanted) {
      return absl::DataLossError(absl::StrCat(path, ": truncated: ", announced, ", there are only ", done));
    }
  }
  if (in_part) return absl::OkStatus();
  uint8_t extra;
  PLUMB_ASSIGN_OR_RETURN(uint64_t more, reader.Read(&extra, 1));
  if (more != 0) return absl::DataLossError(absl::StrCat(path, ": ", announced, ", but more follow"));
  return absl::OkStatus();
}

}  // namespace plumb
