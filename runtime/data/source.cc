// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/data/source.h"

#include <sys/stat.h>

#include <cstring>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/data/idx.h"

namespace plumb {
namespace {

constexpr int64_t kSide = 28;
constexpr int kClasses = 10;

std::string FolderOf(const abi::MnistSourceT& source, const PipelineOptions& options) {
  return options.folder.empty() ? source.folder : options.folder;
}

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

// The image and the label file of one of MNIST's two sets.
struct FilePair {
  std::string images, labels;
};

FilePair FindPair(const std::string& folder, const std::string& prefix) {
  return {FindFile(folder, prefix + "-images-idx3-ubyte"), FindFile(folder, prefix + "-labels-idx1-ubyte")};
}

absl::Status CheckPair(const FilePair& pair, const std::string& folder, const std::string& prefix) {
  if (!pair.images.empty() && !pair.labels.empty()) return absl::OkStatus();
  std::string missing = prefix + (pair.images.empty() ? "-images-idx3-ubyte" : "-labels-idx1-ubyte");
  return absl::NotFoundError(absl::StrCat("MnistDataset: folder '", folder, "' holds neither ", missing, " nor ", missing, ".gz"));
}

absl::StatusOr<std::vector<FilePair>> FindFiles(const abi::MnistSourceT& source, const std::string& folder) {
  struct stat info;
  if (stat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) {
    return absl::NotFoundError(absl::StrCat("MnistDataset: there is no folder '", folder, "'"));
  }
  std::vector<FilePair> pairs;
  for (const std::string prefix : {"train", "t10k"}) {
    bool wanted = source.usage == "all" || source.usage == (prefix == "train" ? "train" : "test");
    FilePair pair = FindPair(folder, prefix);
    if (!wanted && !(source.usage.empty() && !(pair.images.empty() && pair.labels.empty()))) continue;
    PLUMB_RETURN_IF_ERROR(CheckPair(pair, folder, prefix));
    pairs.push_back(pair);
  }
  if (pairs.empty()) {
    return absl::NotFoundError(absl::StrCat("MnistDataset: folder '", folder,
                                            "' holds no MNIST files (train-images-idx3-ubyte, train-labels-idx1-ubyte, "
                                            "t10k-images-idx3-ubyte, t10k-labels-idx1-ubyte, or these with .gz)"));
  }
  return pairs;
}

absl::Status AppendLabels(const FilePair& pair, int64_t images, uint64_t max_rows, std::vector<uint8_t>* out) {
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
    if (labels[i] >= kClasses) {
      return absl::DataLossError(absl::StrCat(pair.labels, ": label ", labels[i], " of digit ", i,
                                              " is outside the classes 0 to ", kClasses - 1));
    }
    uint32_t label = labels[i];
    std::memcpy(out->data() + before + i * sizeof(label), &label, sizeof(label));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<const RowStore>> LoadMnist(const abi::MnistSourceT& source, const PipelineOptions& options) {
  std::string folder = FolderOf(source, options);
  PLUMB_ASSIGN_OR_RETURN(std::vector<FilePair> pairs, FindFiles(source, folder));
  auto rows = std::make_shared<RowStore>();
  rows->columns.resize(2);
  for (const FilePair& pair : pairs) {
    std::vector<int64_t> shape;
    PLUMB_RETURN_IF_ERROR(ReadIdx(pair.images, 3, &shape, &rows->columns[0], options.max_rows));
    if (shape[1] != kSide || shape[2] != kSide) {
      return absl::DataLossError(absl::StrCat(pair.images, ": images of ", shape[1], "x", shape[2], ", but MNIST's are ",
                                              kSide, "x", kSide));
    }
    PLUMB_RETURN_IF_ERROR(AppendLabels(pair, shape[0], options.max_rows, &rows->columns[1]));
    rows->count += static_cast<uint64_t>(shape[0]);
  }
  return rows;
}

// Rows in `bytes`, all of which must be whole.
absl::StatusOr<uint64_t> CountRows(const ColumnSpec& column, uint64_t bytes) {
  uint64_t row = column.bytes();
  if (bytes % row != 0) {
    return absl::InvalidArgumentError(absl::StrCat("column '", column.name, "': ", bytes, " bytes are no whole number of rows ",
                                                   column.ToString(), " of ", row, " bytes"));
  }
  return bytes / row;
}

absl::StatusOr<std::shared_ptr<const RowStore>> LoadArrays(abi::ArraySourceT& source,
                                                           const std::vector<ColumnSpec>& columns,
                                                           const PipelineOptions& options) {
  auto rows = std::make_shared<RowStore>();
  for (size_t i = 0; i < columns.size(); ++i) {
    std::vector<uint8_t> bytes = std::move(source.columns[i]->bytes);
    auto handed_over = options.arrays.find(columns[i].name);
    if (handed_over != options.arrays.end()) bytes.assign(handed_over->second.begin(), handed_over->second.end());
    if (bytes.empty()) {
      return absl::InvalidArgumentError(absl::StrCat("column '", columns[i].name, "' of the array source has no rows"));
    }
    PLUMB_ASSIGN_OR_RETURN(uint64_t count, CountRows(columns[i], bytes.size()));
    if (i > 0 && count != rows->count) {
      return absl::InvalidArgumentError(absl::StrCat("column '", columns[i].name, "' has ", count, " rows, but column '",
                                                     columns[0].name, "' has ", rows->count));
    }
    rows->count = count;
    rows->columns.push_back(std::move(bytes));
  }
  return rows;
}

absl::StatusOr<std::vector<ColumnSpec>> ArrayColumns(const abi::ArraySourceT& source) {
  std::vector<ColumnSpec> columns;
  for (const auto& entry : source.columns) {
    if (entry == nullptr) return absl::InvalidArgumentError("an array source has an empty column entry");
    ColumnSpec column;
    column.name = entry->name;
    auto element = ElementFromName(entry->element);
    if (!element.ok()) return Annotate(element.status(), absl::StrCat("column '", column.name, "'"));
    column.element = *element;
    column.shape = entry->shape;
    auto bytes = TensorBytes(column.element, column.shape);
    if (!bytes.ok()) return Annotate(bytes.status(), absl::StrCat("column '", column.name, "'"));
    if (*bytes == 0) return absl::InvalidArgumentError(absl::StrCat("column '", column.name, "': a row has no elements"));
    for (const ColumnSpec& other : columns) {
      if (other.name == column.name) {
        return absl::InvalidArgumentError(absl::StrCat("two columns are called '", column.name, "'"));
      }
    }
    columns.push_back(std::move(column));
  }
  if (columns.empty()) return absl::InvalidArgumentError("an array source has no columns");
  return columns;
}

}  // namespace

size_t ColumnSpec::elements() const {
  size_t count = 1;
  for (int64_t size : shape) count *= static_cast<size_t>(size);
  return count;
}

std::string ColumnSpec::ToString() const { return absl::StrCat("'", name, "' ", TensorTypeString(element, shape)); }

absl::StatusOr<std::vector<ColumnSpec>> SourceColumns(const abi::SourceUnion& source) {
  if (const abi::MnistSourceT* mnist = source.AsMnistSource()) {
    if (!(mnist->usage.empty() || mnist->usage == "train" || mnist->usage == "test" || mnist->usage == "all")) {
      return absl::InvalidArgumentError(
          absl::StrCat("MnistDataset: usage is 'train', 'test' or 'all', not '", mnist->usage, "'"));
    }
    return std::vector<ColumnSpec>{{"image", ElementType::u8, {kSide, kSide, 1}}, {"label", ElementType::u32, {}}};
  }
  if (const abi::ArraySourceT* arrays = source.AsArraySource()) return ArrayColumns(*arrays);
  return absl::InvalidArgumentError("the pipeline has no source");
}

absl::StatusOr<std::shared_ptr<const RowStore>> LoadSource(abi::SourceUnion& source,
                                                           const std::vector<ColumnSpec>& columns,
                                                           const PipelineOptions& options) {
  std::shared_ptr<const RowStore> rows;
  if (const abi::MnistSourceT* mnist = source.AsMnistSource()) {
    PLUMB_ASSIGN_OR_RETURN(rows, LoadMnist(*mnist, options));
  } else {
    PLUMB_ASSIGN_OR_RETURN(rows, LoadArrays(*source.AsArraySource(), columns, options));
  }
  if (rows->count > std::numeric_limits<uint32_t>::max()) {
    return absl::ResourceExhaustedError(absl::StrCat("the source has ", rows->count, " rows; at most 2^32 - 1 are supported"));
  }
  return rows;
}

}  // namespace plumb
