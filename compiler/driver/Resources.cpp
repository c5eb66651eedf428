// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file: eight bytes with the header's length, the header (JSON: name -> type, shape, [begin, end] of its data
// behind the header), the data. Types and shapes are the text's business.

#include "compiler/driver/Resources.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/JSON.h"

using namespace plumb;

using llvm::StringRef;

/// Of data in a safetensors file and in printed IR.
static constexpr uint32_t alignment = 8;

static llvm::Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), "the captured data: " + message);
}

static mlir::DialectResourceBlobManager &getBlobs(mlir::MLIRContext &context) {
  return mlir::DenseResourceElementsHandle::getManagerInterface(&context).getBlobManager();
}

/// The bytes of one tensor.
static llvm::Expected<StringRef> findData(StringRef name, const llvm::json::Value &entry, StringRef data) {
  const llvm::json::Object *object = entry.getAsObject();
  const llvm::json::Array *range = object ? object->getArray("data_offsets") : nullptr;
  if (!range || range->size() != 2)
    return makeError("'" + name + "' has no place");
  std::optional<uint64_t> begin = (*range)[0].getAsUINT64(), end = (*range)[1].getAsUINT64();
  if (!begin || !end || *begin > *end || *end > data.size())
    return makeError("'" + name + "' lies outside of the file");
  return data.slice(*begin, *end);
}

llvm::Error plumb::attachResources(mlir::MLIRContext &context, StringRef file) {
  constexpr size_t lengthBytes = sizeof(uint64_t);
  uint64_t length = file.size() < lengthBytes ? 0 : llvm::support::endian::read64le(file.data());
  if (file.size() < lengthBytes || length > file.size() - lengthBytes)
    return makeError("the file is cut off");
  llvm::Expected<llvm::json::Value> header = llvm::json::parse(file.substr(lengthBytes, length));
  if (!header)
    return header.takeError();
  if (!header->getAsObject())
    return makeError("the header is no object");
  mlir::DialectResourceBlobManager &blobs = getBlobs(context);
  for (const auto &[key, entry] : *header->getAsObject()) {
    StringRef name = key;
    llvm::Expected<StringRef> data = findData(name, entry, file.drop_front(lengthBytes + length));
    if (!data)
      return data.takeError();
    if (blobs.lookup(name))
      blobs.update(name, mlir::AsmResourceBlob(llvm::ArrayRef(data->data(), data->size()), alignment,
                                               /*deleter=*/{}, /*dataIsMutable=*/false));
  }
  return llvm::Error::success();
}

/// One resource in hexadecimal: how it is to be aligned, in four bytes, and its data. In pieces, as it may be large.
static void printBlob(StringRef name, llvm::ArrayRef<char> data, llvm::raw_ostream &os) {
  constexpr size_t piece = 1 << 16;
  char head[sizeof(uint32_t)];
  llvm::support::endian::write32le(head, alignment);
  os << "      \"";
  llvm::printEscapedString(name, os);
  os << "\": \"0x" << llvm::toHex(StringRef(head, sizeof(head)));
  for (; !data.empty(); data = data.drop_front(std::min(piece, data.size())))
    os << llvm::toHex(StringRef(data.data(), std::min(piece, data.size())));
  os << '"';
}

void plumb::printResources(mlir::MLIRContext &context, llvm::raw_ostream &os) {
  getBlobs(context).getBlobMap([&](const auto &blobs) {
    llvm::SmallVector<std::pair<StringRef, llvm::ArrayRef<char>>> present;
    for (const auto &entry : blobs)
      if (const mlir::AsmResourceBlob *blob = entry.second.getBlob())
        present.emplace_back(entry.first(), blob->getData());
    if (present.empty())
      return;
    llvm::sort(present, llvm::less_first());
    os << "\n{-#\n  dialect_resources: {\n    builtin: {\n";
    llvm::interleave(present, os, [&](const auto &blob) { printBlob(blob.first, blob.second, os); }, ",\n");
    os << "\n    }\n  }\n#-}\n";
  });
}
