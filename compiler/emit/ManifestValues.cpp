// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts attributes to the manifest's tables.

#include "compiler/emit/ManifestValues.h"

#include "runtime/abi/pipeline_schema.h"

#include "flatbuffers/idl.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace plumb;

/// The manifest's name of an element type.
static std::optional<abi::ElementType> getElement(Type type) {
  if (type.isF32())
    return abi::ElementType::f32;
  if (type.isF64())
    return abi::ElementType::f64;
  if (type.isF16())
    return abi::ElementType::f16;
  if (type.isBF16())
    return abi::ElementType::bf16;
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return std::nullopt;
  bool isUnsigned = integer.isUnsigned();
  switch (integer.getWidth()) {
  case 1: return abi::ElementType::i1;
  case 8: return isUnsigned ? abi::ElementType::u8 : abi::ElementType::i8;
  case 16: return isUnsigned ? abi::ElementType::u16 : abi::ElementType::i16;
  case 32: return isUnsigned ? abi::ElementType::u32 : abi::ElementType::i32;
  case 64: return isUnsigned ? abi::ElementType::u64 : abi::ElementType::i64;
  default: return std::nullopt;
  }
}

FailureOr<std::unique_ptr<abi::TensorTypeT>> plumb::convertType(Operation *owner, ShapedType type) {
  std::optional<abi::ElementType> element = getElement(type.getElementType());
  if (!element)
    return owner->emitError("the executable format has no element type ") << type.getElementType();
  auto converted = std::make_unique<abi::TensorTypeT>();
  converted->element = *element;
  converted->shape.assign(type.getShape().begin(), type.getShape().end());
  return converted;
}

/// Appends an integer's bytes, lowest first.
static void appendBytes(const APInt &value, std::vector<uint8_t> &bytes) {
  unsigned width = std::max(8u, value.getBitWidth());
  APInt wide = value.zextOrTrunc(width);
  for (unsigned bit = 0; bit < width; bit += 8)
    bytes.push_back(wide.extractBitsAsZExtValue(8, bit));
}

/// The bytes of a dense attribute as a tensor holds them in memory.
static std::vector<uint8_t> getBytes(DenseElementsAttr values) {
  ArrayRef<char> raw = values.getRawData();
  if (!values.isSplat() && !values.getElementType().isInteger(1))
    return std::vector<uint8_t>(raw.begin(), raw.end());
  std::vector<uint8_t> bytes;
  if (isa<FloatType>(values.getElementType())) {
    for (const APFloat &value : values.getValues<APFloat>())
      appendBytes(value.bitcastToAPInt(), bytes);
  } else {
    for (const APInt &value : values.getValues<APInt>())
      appendBytes(value, bytes);
  }
  return bytes;
}

/// Bytes that elements of a dense type take in memory, if that is a number.
static std::optional<uint64_t> countBytes(ShapedType type) {
  uint64_t bytes = std::max(1u, type.getElementTypeBitWidth() / 8);
  for (int64_t extent : type.getShape())
    if (__builtin_mul_overflow(bytes, uint64_t(extent), &bytes))
      return std::nullopt;
  return bytes;
}

/// Writes the elements as a tensor holds them in memory; fails, with nothing
/// said, when there are none or not as many as the type says.
static LogicalResult convertElements(ElementsAttr value, std::vector<uint8_t> &bytes) {
  if (auto values = dyn_cast<DenseElementsAttr>(value)) {
    bytes = getBytes(values);
    return success();
  }
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  AsmResourceBlob *blob = resource ? resource.getRawHandle().getBlob() : nullptr;
  if (!blob || countBytes(value.getShapedType()) != blob->getData().size())
    return failure();
  bytes.assign(blob->getData().begin(), blob->getData().end());
  return success();
}

LogicalResult plumb::convertInitialValue(device::VariableOp op, abi::VariableT &variable) {
  Attribute value = op.getInitialValue();
  if (auto rule = dyn_cast<device::InitAttr>(value)) {
    variable.rule = std::make_unique<abi::InitializerT>();
    variable.rule->kind = rule.getKind().str();
    variable.rule->stream = rule.getStream();
    for (auto number : rule.getParameters().getAsRange<FloatAttr>())
      variable.rule->parameters.push_back(number.getValueAsDouble());
    return success();
  }
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || failed(convertElements(elements, variable.data)))
    return op.emitOpError("has an initial value that has no bytes");
  return success();
}

/// The rows of `column` in `elements`, whose dimensions behind the first and
/// whose element type must be the column's.
static LogicalResult convertArray(device::QueueOp op, ElementsAttr elements, abi::ArrayColumnT &column) {
  ShapedType type = elements.getShapedType();
  std::optional<abi::ElementType> element = getElement(type.getElementType());
  if (!element || type.getRank() == 0 || column.element != abi::EnumNameElementType(*element) ||
      type.getShape().drop_front() != ArrayRef<int64_t>(column.shape))
    return op.emitOpError("has rows of column '")
           << column.name << "' of type " << type << ", which is not what its pipeline says";
  if (failed(convertElements(elements, column.bytes)))
    return op.emitOpError("has no bytes, or not as many as its type ")
           << type << " says, for the rows of column '" << column.name << "'";
  return success();
}

/// Puts the queue's arrays into the pipeline's columns of the same names.
static LogicalResult convertArrays(device::QueueOp op, Attribute arrays, abi::PipelineT &pipeline) {
  auto byColumn = dyn_cast<DictionaryAttr>(arrays);
  if (!byColumn)
    return op.emitOpError("has device.arrays that is no dictionary");
  abi::ArraySourceT *source = pipeline.source.AsArraySource();
  for (NamedAttribute array : byColumn) {
    StringRef name = array.getName().getValue();
    auto elements = dyn_cast<ElementsAttr>(array.getValue());
    abi::ArrayColumnT *found = nullptr;
    if (source)
      for (const auto &column : source->columns)
        if (column && column->name == name)
          found = column.get();
    if (!found || !elements)
      return op.emitOpError("has rows of a column '")
             << name << "' that " << (found ? "are no tensor's elements" : "its pipeline does not read");
    if (failed(convertArray(op, elements, *found)))
      return failure();
  }
  return success();
}

FailureOr<std::unique_ptr<abi::PipelineT>> plumb::convertPipeline(device::QueueOp op) {
  flatbuffers::Parser parser;
  std::string text = op.getPipeline()->str();
  if (!parser.Parse(abi::kPipelineSchema))
    return op.emitOpError("has a pipeline schema that cannot be read: ") << parser.error_;
  if (!parser.ParseJson(text.c_str()))
    return op.emitOpError("has a pipeline that cannot be read: ") << parser.error_;
  std::unique_ptr<abi::PipelineT> pipeline(
      flatbuffers::GetRoot<abi::Pipeline>(parser.builder_.GetBufferPointer())->UnPack());
  Attribute arrays = op->getAttr("device.arrays");
  if (arrays && failed(convertArrays(op, arrays, *pipeline)))
    return failure();
  return pipeline;
}
