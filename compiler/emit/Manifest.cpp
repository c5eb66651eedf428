// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks the declarations and fills the manifest's tables.

#include "compiler/emit/Manifest.h"

#include "compiler/emit/ManifestValues.h"
#include "dialects/kernel/ir/Kernel.h"
#include "runtime/abi/versions.h"

#include "llvm/Support/CRC.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace plumb;

namespace {

/// Stands where a checksum will be: FlatBuffers leaves zeros out.
constexpr uint32_t kNoSumYet = 0xffffffff;

/// FlatBuffers end at 2 GiB; the rest of the manifest is small beside this.
constexpr uint64_t kMaxValueBytes = (uint64_t(1) << 31) - (uint64_t(1) << 24);

/// Builds one manifest.
class ManifestBuilder {
public:
  explicit ManifestBuilder(device::ModuleOp module) : module(module) {}

  void addFacts(const EmitOptions &options, const TargetFacts &target);
  void addArena();
  LogicalResult addDeclarations();
  LogicalResult finish(ManifestBytes &bytes);

private:
  LogicalResult addVariable(device::VariableOp op);
  LogicalResult addQueue(device::QueueOp op);
  LogicalResult addLoop(device::EntryOp op);
  void addCheck(DictionaryAttr range, std::unique_ptr<abi::ReportT> value, abi::LoopT &loop);
  LogicalResult addPrint(device::EntryOp op, device::PrintAttr print, abi::LoopT &loop);
  LogicalResult addReport(device::EntryOp entry, StringRef name, abi::LoopT &loop);

  device::ModuleOp module;
  bool cacheData = false;
  abi::ManifestT manifest;
};

} // namespace

void ManifestBuilder::addFacts(const EmitOptions &options, const TargetFacts &target) {
  cacheData = options.cacheData;
  manifest.schema_version = abi::kManifestSchemaVersion;
  manifest.abi_version = PLUMB_ABI_VERSION;
  manifest.name = module.getSymName().str();
  manifest.compiler_version = options.compilerVersion.empty() ? abi::kPlumbVersion : options.compilerVersion;
  manifest.source_name = options.sourceName;
  manifest.source_hash = llvm::xxh3_64bits(options.sourceText);
  manifest.target_triple = target.triple;
  manifest.target_cpu = target.cpu;
  manifest.cpu_features = target.features;
  manifest.text_crc32 = kNoSumYet;
  manifest.image_crc32 = kNoSumYet;
}

void ManifestBuilder::addArena() {
  if (auto seed = module->getAttrOfType<IntegerAttr>("device.seed"))
    manifest.seed = seed.getInt();
  manifest.variables_bytes = module.getVariablesBytes().value_or(0);
  manifest.arena_bytes = module.getArenaBytes().value_or(0);
  manifest.arena_lower_bound = module.getArenaLowerBound().value_or(0);
  if (!module.getArenaBuffers())
    return;
  for (auto buffer : module.getArenaBuffers()->getAsRange<device::BufferAttr>()) {
    auto entry = std::make_unique<abi::ArenaBufferT>();
    entry->name = buffer.getName().str();
    entry->offset = buffer.getOffset();
    entry->bytes = buffer.getBytes();
    entry->first = buffer.getFirst();
    entry->last = buffer.getLast();
    manifest.arena.push_back(std::move(entry));
  }
}

LogicalResult ManifestBuilder::addVariable(device::VariableOp op) {
  auto variable = std::make_unique<abi::VariableT>();
  auto type = convertType(op, cast<ShapedType>(op.getType()));
  if (failed(type))
    return failure();
  if (!op.getOffset())
    return op.emitOpError("has no offset; run lower");
  variable->name = op.getSymName().str();
  variable->type = std::move(*type);
  variable->offset = *op.getOffset();
  variable->trainable = op.getTrainable();
  if (failed(convertInitialValue(op, *variable)))
    return failure();
  manifest.variables.push_back(std::move(variable));
  return success();
}

/// Notes what the values of a column may be, where `range` says it.
static void setRange(Attribute range, abi::ColumnT &column) {
  auto entries = dyn_cast<DictionaryAttr>(range);
  auto lowest = entries ? entries.getAs<IntegerAttr>("lowest") : nullptr;
  auto highest = entries ? entries.getAs<IntegerAttr>("highest") : nullptr;
  auto use = entries ? entries.getAs<StringAttr>("use") : nullptr;
  if (!lowest || !highest)
    return;
  column.lowest = lowest.getInt();
  column.classes = highest.getInt() + 1;
  column.use = use ? use.str() : "";
}

LogicalResult ManifestBuilder::addQueue(device::QueueOp op) {
  auto queue = std::make_unique<abi::QueueT>();
  if (!op.getOffsets() || !op.getSlotBytes())
    return op.emitOpError("has no offsets; run lower");
  queue->name = op.getSymName().str();
  queue->slot_bytes = *op.getSlotBytes();
  queue->depth = op.getDepth();
  auto ranges = op->getAttrOfType<ArrayAttr>("device.ranges");
  for (auto [name, type, offset] : llvm::zip_equal(op.getColumns().getAsRange<StringAttr>(),
                                                   op.getTypes().getAsValueRange<TypeAttr>(), *op.getOffsets())) {
    auto column = std::make_unique<abi::ColumnT>();
    auto converted = convertType(op, cast<ShapedType>(type));
    if (failed(converted))
      return failure();
    column->name = name.str();
    column->type = std::move(*converted);
    column->offset = offset;
    if (ranges && queue->columns.size() < ranges.size())
      setRange(ranges[queue->columns.size()], *column);
    queue->columns.push_back(std::move(column));
  }
  if (op.getPipeline() && !op.getPipeline()->empty()) {
    auto pipeline = convertPipeline(op);
    if (failed(pipeline))
      return failure();
    queue->pipeline = std::move(*pipeline);
    queue->pipeline->cache |= cacheData;
  }
  manifest.queues.push_back(std::move(queue));
  return success();
}

LogicalResult ManifestBuilder::addReport(device::EntryOp entry, StringRef name, abi::LoopT &loop) {
  auto op = module.lookupSymbol<device::ReportOp>(name);
  if (!op || !op.getOffset())
    return entry.emitOpError("reports '") << name << "', which has no offset";
  auto type = convertType(op, cast<ShapedType>(op.getType()));
  if (failed(type))
    return failure();
  auto report = std::make_unique<abi::ReportT>();
  report->name = name.str();
  report->type = std::move(*type);
  report->offset = *op.getOffset();
  if (auto range = op->getAttrOfType<DictionaryAttr>("device.range")) {
    addCheck(range, std::move(report), loop);
    return success();
  }
  loop.reports.push_back(std::move(report));
  return success();
}

/// A report whose value must lie in a range; the verifier promises its bounds.
void ManifestBuilder::addCheck(DictionaryAttr range, std::unique_ptr<abi::ReportT> value, abi::LoopT &loop) {
  auto check = std::make_unique<abi::CheckT>();
  check->lowest = range.getAs<IntegerAttr>("lowest").getInt();
  check->highest = range.getAs<IntegerAttr>("highest").getInt();
  if (auto use = range.getAs<StringAttr>("use"))
    check->use = use.str();
  if (auto error = range.getAs<StringAttr>("error"))
    check->error = error.str();
  check->value = std::move(value);
  loop.checks.push_back(std::move(check));
}

/// What a print shows, and where a record has it.
LogicalResult ManifestBuilder::addPrint(device::EntryOp op, device::PrintAttr print, abi::LoopT &loop) {
  auto format = std::make_unique<abi::PrintFormatT>();
  for (auto text : print.getTexts().getAsRange<StringAttr>())
    format->texts.push_back(text.str());
  for (auto [type, offset] :
       llvm::zip_equal(print.getTypes().getAsValueRange<TypeAttr>(), print.getOffsets().asArrayRef())) {
    auto converted = convertType(op, cast<ShapedType>(type));
    if (failed(converted))
      return failure();
    auto value = std::make_unique<abi::PrintValueT>();
    value->type = std::move(*converted);
    value->offset = offset;
    format->values.push_back(std::move(value));
  }
  loop.print_formats.push_back(std::move(format));
  return success();
}

LogicalResult ManifestBuilder::addLoop(device::EntryOp op) {
  auto loop = std::make_unique<abi::LoopT>();
  loop->name = op.getLoopName().str();
  loop->mode = op.getMode().str();
  loop->record_bytes = op.getRecordBytes();
  loop->sink_size = op.getSinkSize();
  loop->epochs = op.getEpochs();
  if (auto chunks = op->getAttrOfType<DenseI64ArrayAttr>(kernel::kChunksName))
    loop->chunks.assign(chunks.asArrayRef().begin(), chunks.asArrayRef().end());
  if (op.getQueue())
    for (auto [index, queue] : llvm::enumerate(manifest.queues))
      if (queue->name == *op.getQueue())
        loop->queue = index;
  for (auto report : op.getReports().getAsRange<FlatSymbolRefAttr>())
    if (failed(addReport(op, report.getValue(), *loop)))
      return failure();
  loop->print_bytes = op.getPrintBytes().value_or(0);
  if (ArrayAttr prints = op.getPrintsAttr())
    for (auto print : prints.getAsRange<device::PrintAttr>())
      if (failed(addPrint(op, print, *loop)))
        return failure();
  if (auto errors = op->getAttrOfType<DenseI64ArrayAttr>("device.error_prints"))
    for (int64_t number : errors.asArrayRef())
      loop->print_formats[number]->error = true;
  manifest.loops.push_back(std::move(loop));
  return success();
}

LogicalResult ManifestBuilder::addDeclarations() {
  for (Operation &op : module.getBody().front())
    if (auto variable = dyn_cast<device::VariableOp>(op)) {
      if (failed(addVariable(variable)))
        return failure();
    } else if (auto queue = dyn_cast<device::QueueOp>(op)) {
      if (failed(addQueue(queue)))
        return failure();
    }
  for (auto entry : module.getBody().getOps<device::EntryOp>())
    if (failed(addLoop(entry)))
      return failure();
  if (manifest.loops.empty())
    return module.emitOpError("has no loop to run");
  return success();
}

/// Bytes of the values that the manifest carries: variables and data sets.
static uint64_t countValueBytes(const abi::ManifestT &manifest) {
  uint64_t bytes = 0;
  for (const auto &variable : manifest.variables)
    bytes += variable->data.size();
  for (const auto &queue : manifest.queues)
    if (queue->pipeline)
      if (auto *source = queue->pipeline->source.AsArraySource())
        for (const auto &column : source->columns)
          bytes += column->bytes.size();
  return bytes;
}

LogicalResult ManifestBuilder::finish(ManifestBytes &bytes) {
  uint64_t values = countValueBytes(manifest);
  if (values > kMaxValueBytes)
    return module.emitError("the program's tensors and data sets take ")
           << values << " bytes, but an executable holds at most " << kMaxValueBytes
           << "; let the program read its data from files, or hand them over "
              "at run time";
  // Room for all at once: a buffer that grows is copied each time.
  flatbuffers::FlatBufferBuilder builder(values + (size_t(1) << 20));
  builder.Finish(abi::Manifest::Pack(builder, &manifest), abi::ManifestIdentifier());
  bytes = builder.Release();
  return success();
}

LogicalResult plumb::buildManifest(device::ModuleOp module, const EmitOptions &options, const TargetFacts &target,
                                   ManifestBytes &bytes) {
  ManifestBuilder builder(module);
  builder.addFacts(options, target);
  builder.addArena();
  if (failed(builder.addDeclarations()))
    return failure();
  return builder.finish(bytes);
}

/// The address of a 32-bit field inside the serialized manifest.
static char *getField(MutableArrayRef<char> manifest, flatbuffers::voffset_t field) {
  auto *root = flatbuffers::GetMutableRoot<flatbuffers::Table>(manifest.data());
  return reinterpret_cast<char *>(root->GetAddressOf(field));
}

void plumb::sealManifest(MutableArrayRef<char> file, MutableArrayRef<char> manifest, ArrayRef<char> text) {
  auto sum = [](ArrayRef<char> bytes) {
    return llvm::crc32(ArrayRef(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()));
  };
  using llvm::support::endian::write32le;
  write32le(getField(manifest, abi::Manifest::VT_TEXT_CRC32), sum(text));
  // The file's own sum is taken with its field as zero.
  char *whole = getField(manifest, abi::Manifest::VT_IMAGE_CRC32);
  write32le(whole, 0);
  write32le(whole, sum(file));
}
