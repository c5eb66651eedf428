// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/data/idx_source.h"

#include <sys/stat.h>

#include <cstring>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/status.h"
#include "runtime/data/idx.h"

namespace plumb {
namespace {

constexpr char kImages[] = "-images-idx3-ubyte";
constexpr char kLabels[] = "-labels-idx1-ubyte";

bool IsFile(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

// The file of that name, plain or gzip; empty if there is neither.
std::string FindFile(const std::string& folder, const std::string& name) {
  std::string path = absl::StrCat(folder, folder.empty() || folder.back() == '/' ? "" : "/", name);
  if (IsFile(path)) return path;
  if (IsFile(path + ".gz")) return path + ".gz";
  return "";
}

// The image and the label file of one set.
struct FilePair {
  std::string images, labels;
};

FilePair FindPair(const std::string& folder, const std::string& set) {
  return {FindFile(folder, set + kImages), FindFile(folder, set + kLabels)};
}

absl::Status CheckPair(const FilePair& pair, const abi::IdxSourceT& source, const std::string& folder,
                       const std::string& set) {
  if (!pair.images.empty() && !pair.labels.empty()) return absl::OkStatus();
  std::string missing = set + (pair.images.empty() ? kImages : kLabels);
  return absl::NotFoundError(
      absl::StrCat(source.dataset, ": folder '", folder, "' holds neither ", missing, " nor ", missing, ".gz"));
}

std::string AllNames(const std::vector<std::string>& sets) {
  return absl::StrJoin(sets, ", ", [](std::string* out, const std::string& set) {
    absl::StrAppend(out, set, kImages, ", ", set, kLabels);
  });
}

absl::StatusOr<std::vector<FilePair>> FindFiles(const abi::IdxSourceT& source, const std::string& folder) {
  struct stat info;
  if (stat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) {
    return absl::NotFoundError(absl::StrCat(source.dataset, ": there is no folder '", folder, "'"));
  }
  std::vector<FilePair> pairs;
  for (const std::string& set : source.sets) {
    FilePair pair = FindPair(folder, set);
    if (source.where_found && pair.images.empty() && pair.labels.empty()) continue;
    PLUMB_RETURN_IF_ERROR(CheckPair(pair, source, folder, set));
    pairs.push_back(std::move(pair));
  }
  if (pairs.empty()) {
    return absl::NotFoundError(absl::StrCat(source.dataset, ": folder '", folder, "' holds none of its files (",
                                            AllNames(source.sets), ", or these with .gz)"));
  }
  return pairs;
}

absl::StatusOr<int64_t> AppendImages(const FilePair& pair, const abi::IdxSourceT& source, uint64_t max_rows,
                                     std::vector<uint8_t>* out) {
  std::vector<int64_t> shape;
  PLUMB_RETURN_IF_ERROR(ReadIdx(pair.images, 3, &shape, out, max_rows));
  if (shape[1] != source.height || shape[2] != source.width) {
    return absl::DataLossError(absl::StrCat(pair.images, ": images of ", shape[1], "x", shape[2], ", but those of ",
                                            source.dataset, " are ", source.height, "x", source.width));
  }
  return shape[0];
}

absl::Status AppendLabels(const FilePair& pair, const abi::IdxSourceT& source, int64_t images, uint64_t max_rows,
                          std::vector<uint8_t>* out) {
  std::vector<int64_t> shape;
  std::vector<uint8_t> labels;
  PLUMB_RETURN_IF_ERROR(ReadIdx(pair.labels, 1, &shape, &labels, max_rows));
  if (shape[0] != images) {
    return absl::DataLossError(
        absl::StrCat(pair.labels, ": ", shape[0], " labels, but ", pair.images, " has ", images, " images"));
  }
  size_t before = out->size();
  out->resize(before + labels.size() * sizeof(uint32_t));
  for (size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] >= source.classes) {
      return absl::DataLossError(absl::StrCat(pair.labels, ": label ", labels[i], " of image ", i,
                                              " is outside the classes 0 to ", source.classes - 1));
    }
    uint32_t label = labels[i];
    std::memcpy(out->data() + before + i * sizeof(label), &label, sizeof(label));
  }
  return absl::OkStatus();
}

absl::StatusOr<abi::IdxSourceT> FromMnist(const abi::MnistSourceT& mnist) {
  abi::IdxSourceT source;
  source.dataset = "MnistDataset";
  source.folder = mnist.folder;
  source.where_found = mnist.usage.empty();
  source.height = source.width = 28;
  source.classes = 10;
  const bool takes_all = mnist.usage.empty() || mnist.usage == "all";
  if (takes_all || mnist.usage == "train") source.sets.push_back("train");
  if (takes_all || mnist.usage == "test") source.sets.push_back("t10k");
  if (source.sets.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("MnistDataset: usage is 'train', 'test' or 'all', not '", mnist.usage, "'"));
  }
  return source;
}

}  // namespace

absl::StatusOr<std::optional<abi::IdxSourceT>> AsIdxSource(const abi::SourceUnion& source) {
  if (const abi::IdxSourceT* idx = source.AsIdxSource()) return std::make_optional(*idx);
  const abi::MnistSourceT* mnist = source.AsMnistSource();
  if (mnist == nullptr) return std::optional<abi::IdxSourceT>();
  PLUMB_ASSIGN_OR_RETURN(abi::IdxSourceT made, FromMnist(*mnist));
  return std::make_optional(std::move(made));
}

absl::StatusOr<std::vector<ColumnSpec>> IdxColumns(const abi::IdxSourceT& source) {
  if (source.sets.empty() || source.classes == 0) {
    return absl::InvalidArgumentError(absl::StrCat(source.dataset, ": a source of IDX files needs sets and classes"));
  }
  ColumnSpec image{"image", ElementType::u8, {source.height, source.width, 1}};
  PLUMB_ASSIGN_OR_RETURN(uint64_t bytes, TensorBytes(image.element, image.shape));
  if (bytes == 0) return absl::InvalidArgumentError(absl::StrCat(source.dataset, ": its images have no pixels"));
  return std::vector<ColumnSpec>{std::move(image), {"label", ElementType::u32, {}}};
}

absl::StatusOr<std::shared_ptr<const RowStore>> LoadIdx(const abi::IdxSourceT& source, const PipelineOptions& options) {
  PLUMB_ASSIGN_OR_RETURN(std::vector<FilePair> pairs,
                         FindFiles(source, options.folder.empty() ? source.folder : options.folder));
  auto rows = std::make_shared<RowStore>();
  rows->columns.resize(2);
  for (const FilePair& pair : pairs) {
    PLUMB_ASSIGN_OR_RETURN(int64_t images, AppendImages(pair, source, options.max_rows, &rows->columns[0]));
    PLUMB_RETURN_IF_ERROR(AppendLabels(pair, source, images, options.max_rows, &rows->columns[1]));
    rows->count += static_cast<uint64_t>(images);
  }
  return rows;
}

}  // namespace plumb
