// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text of our dialects: what is read ends as IR that passes the verifiers, or with a diagnostic. IR goes on through the
// check of what front ends give, and the folders and simplifications of its operations; what comes out must print, and
// read again.

#include "compiler/driver/SourceCheck.h"
#include "compiler/parse/Passes.h"
#include "dialects/check/ir/Check.h"
#include "dialects/device/ir/Device.h"
#include "dialects/kernel/ir/Kernel.h"
#include "dialects/native/ir/Native.h"
#include "dialects/net/ir/Net.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "test/dialects/fuzz/Tokens.h"
#include "test/runtime/fuzz/fuzzer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;

/// What libFuzzer counts beside branches: kinds of errors, and operations with the kinds of their types. An input that
/// meets a new one is kept, also where MLIR's own libraries found it.
__attribute__((section("__libfuzzer_extra_counters"), used)) static uint8_t met[1 << 14];

static void meet(llvm::StringRef what) { met[llvm::xxh3_64bits(what) % std::size(met)] = 1; }

/// Of a verifier's error the words without names and numbers, of the parser's what stands before the first name.
static void meet(Diagnostic &diagnostic, bool isRead) {
  std::string text = diagnostic.str(), kind;
  if (diagnostic.getSeverity() == DiagnosticSeverity::Error && text.empty())
    std::abort();
  bool isQuoted = false;
  for (char c : llvm::StringRef(text).take_front(isRead ? text.size() : text.find_first_of("'`\"<0123456789"))) {
    isQuoted ^= c == '\'';
    if (!isQuoted && !llvm::isDigit(c))
      kind += c;
  }
  meet(llvm::StringRef(kind).take_front(80));
}

static void meet(Operation *op) {
  std::string what = op->getName().getStringRef().str();
  llvm::raw_string_ostream stream(what);
  for (Type type : llvm::concat<Type>(llvm::to_vector(op->getOperandTypes()), llvm::to_vector(op->getResultTypes())))
    stream << " " << getElementTypeOrSelf(type);
  meet(what);
}

/// Whether the text is read, and its IR at hand.
static bool isRead = false;

/// A context keeps every type and attribute that it ever saw: a new one now and then.
static constexpr unsigned kInputsOfAContext = 300;

static MLIRContext &context() {
  static std::unique_ptr<MLIRContext> current;
  static unsigned inputs = 0;
  if (current && ++inputs % kInputsOfAContext != 0)
    return *current;
  DialectRegistry registry;
  registry.insert<plumb::net::NetDialect, plumb::device::DeviceDialect, plumb::check::CheckDialect,
                  plumb::kernel::KernelDialect, plumb::native::NativeDialect>();
  registry.insert<arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect, math::MathDialect,
                  memref::MemRefDialect, scf::SCFDialect, tensor::TensorDialect>();
  current = std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  current->getDiagEngine().registerHandler([](Diagnostic &diagnostic) { meet(diagnostic, isRead); });
  return *current;
}

/// Whether MLIR's own parser would survive the text. What it does not survive is reported there; here it would hide
/// what is ours.
static bool isSurvived(llvm::StringRef text) {
  for (size_t at = text.find("array<"); at != llvm::StringRef::npos; at = text.find("array<", at + 1)) {
    llvm::StringRef element = text.substr(at + 6).take_while([](char c) { return llvm::isAlnum(c); });
    if (!llvm::is_contained({"i1", "i8", "i16", "i32", "i64", "f32", "f64"}, element))
      return false;
  }
  return !text.starts_with("ML\xefR") && !plumb::findSourceFault(text);
}

static std::string print(ModuleOp module, bool generic) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, generic ? OpPrintingFlags().printGenericOpForm() : OpPrintingFlags());
  return text;
}

/// Operations print what they read.
static void checkText(ModuleOp module) {
  std::string text = print(module, /*generic=*/false);
  OwningOpRef<ModuleOp> again = parseSourceString<ModuleOp>(text, module.getContext());
  if (!again || print(*again, /*generic=*/true) != print(module, /*generic=*/true)) {
    llvm::errs() << "what is printed is not what was read:\n" << text << "\n";
    std::abort();
  }
}

static void simplify(ModuleOp module) {
  PassManager pm(module.getContext());
  pm.addPass(createCanonicalizerPass());
  // Text with what the stage does not let through is good IR, too.
  (void)pm.run(module);
  PassManager stage(module.getContext());
  plumb::buildParsePipeline(stage);
  (void)stage.run(module);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data), size);
  if (!isSurvived(text))
    return 0;
  isRead = false;
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, ParserConfig(&context(), /*verifyAfterParse=*/false));
  isRead = static_cast<bool>(module);
  if (!module || failed(verify(*module)))
    return 0;
  module->walk([](Operation *op) { meet(op); });
  checkText(*module);
  simplify(*module);
  if (failed(verify(*module)))
    std::abort();
  return 0;
}

/// Most of the changes are of words, which leave most of the text one that can be read; without libFuzzer nobody calls
/// this.
extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room) __attribute__((weak));
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed) {
  if (seed % 16 == 0 && LLVMFuzzerMutate)
    return LLVMFuzzerMutate(data, size, room);
  std::string text = plumb::fuzz::changeWords(llvm::StringRef(reinterpret_cast<const char *>(data), size), seed);
  size = std::min(text.size(), room);
  std::copy_n(text.begin(), size, data);
  return size;
}
