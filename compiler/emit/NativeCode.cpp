// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Translation, LLVM's passes, TargetMachine. The emitters have vectorized and
// unrolled already, so LLVM is asked for little: clean scalar code around the
// vectors, invariant addresses out of loops, good instruction selection.

#include "compiler/emit/NativeCode.h"

#include "runtime/abi/executable_abi.h"
#include "runtime/abi/kernel_timer.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm-c/Target.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"

#include <mutex>

using namespace mlir;
using namespace plumb;

/// Loop strength reduction takes a sixth of the time of code generation, and
/// what it finds is lost in the noise: the emitters step few addresses, with
/// constant distances. LLVM has no other switch for it than its command line's.
static void disableLoopStrengthReduction() {
  auto &options = llvm::cl::getRegisteredOptions();
  auto found = options.find("disable-lsr");
  if (found != options.end() && found->second->getNumOccurrences() == 0)
    found->second->addOccurrence(0, "disable-lsr", "true");
}

/// Makes LLVM's back end for `triple` known. Once per process is enough, and
/// more often does no harm.
static void initializeTarget(const llvm::Triple &triple) {
  if (triple.isAArch64()) {
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
  } else {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
  }
}

/// A target machine for `target`, or null with `error` set.
static std::unique_ptr<llvm::TargetMachine> createMachine(const CpuTarget &target, std::string &error) {
  const llvm::Triple &triple = target.triple;
  initializeTarget(triple);
  static std::once_flag once;
  std::call_once(once, disableLoopStrengthReduction);
  const llvm::Target *backend = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!backend)
    return nullptr;
  std::unique_ptr<llvm::MCSubtargetInfo> known(backend->createMCSubtargetInfo(triple, "", ""));
  if (!known->isCPUStringValid(target.cpu)) {
    error = "'" + target.cpu + "' is no " + triple.getArchName().str() + " processor";
    return nullptr;
  }
  return std::unique_ptr<llvm::TargetMachine>(
      backend->createTargetMachine(triple, target.cpu, target.features, llvm::TargetOptions(), llvm::Reloc::PIC_,
                                   std::nullopt, llvm::CodeGenOptLevel::Default));
}

FailureOr<NativeCode> NativeCode::create(device::ModuleOp module, StringRef targetCpu) {
  if (targetCpu.empty() && module.getTarget())
    targetCpu = *module.getTarget();
  std::optional<CpuTarget> target = CpuTarget::get(targetCpu);
  if (!target)
    return module.emitOpError("is compiled for the unknown processor '") << targetCpu << "'";
  NativeCode code;
  std::string error;
  code.target = *target;
  code.machine = createMachine(*target, error);
  if (!code.machine)
    return module.emitOpError("cannot be compiled: ") << error;
  return code;
}

/// Features that select instructions a vector kernel may hold. Others, such as
/// those of the system and of tuning, are no reason to refuse a machine.
static bool isRelevant(StringRef name) {
  static const StringRef prefixes[] = {"sse", "ssse", "avx", "fma", "f16c", "bmi", "gfni", "vaes", "vpclmul"};
  static const StringRef names[] = {"popcnt", "lzcnt", "movbe", "cx16", "crc32", "neon", "sve", "fullfp16"};
  // AVX10.1 is another name of the AVX-512 features that stand beside it.
  return name != "sse4a" && name != "fma4" && !name.starts_with("avx10") &&
         (llvm::any_of(prefixes, [&](StringRef p) { return name.starts_with(p); }) || llvm::is_contained(names, name));
}

TargetFacts NativeCode::getFacts() const {
  TargetFacts facts;
  facts.triple = machine->getTargetTriple().str();
  facts.cpu = target.cpu;
  const llvm::MCSubtargetInfo &info = *machine->getMCSubtargetInfo();
  for (const llvm::SubtargetFeatureKV &feature : info.getAllProcessorFeatures())
    if (info.getFeatureBits().test(feature.Value) && isRelevant(feature.Key))
      facts.features.push_back(feature.Key);
  return facts;
}

LogicalResult NativeCode::translate(device::ModuleOp device, const llvm::DenseSet<Operation *> &elsewhere) {
  // The translation wants a builtin module that holds LLVM's operations only.
  MLIRContext *mlirContext = device.getContext();
  registerBuiltinDialectTranslation(*mlirContext);
  registerLLVMDialectTranslation(*mlirContext);
  OwningOpRef<ModuleOp> only = ModuleOp::create(device.getLoc());
  OpBuilder builder(only->getBodyRegion());
  for (Operation &op : device.getBody().front()) {
    if (!isa<LLVM::LLVMDialect>(op.getDialect()))
      continue;
    Operation *copy = elsewhere.contains(&op) ? builder.cloneWithoutRegions(op) : builder.clone(op);
    // Kernels are seen by the other object while there are two.
    if (auto function = dyn_cast<LLVM::LLVMFuncOp>(copy))
      function.setLinkage(LLVM::Linkage::External);
  }
  context = std::make_unique<llvm::LLVMContext>();
  module = translateModuleToLLVMIR(*only, *context, device.getSymName());
  if (!module)
    return device.emitOpError("cannot be translated to LLVM IR");
  module->setTargetTriple(machine->getTargetTriple());
  module->setDataLayout(machine->createDataLayout());
  // What is in neither object, such as a function of libm, is not ours to hide.
  for (Operation *op : elsewhere) {
    auto kernel = cast<LLVM::LLVMFuncOp>(op);
    llvm::Function *function = module->getFunction(kernel.getName());
    if (function && !kernel.isExternal())
      function->setVisibility(llvm::GlobalValue::HiddenVisibility);
  }
  setLinkage();
  setAttributes();
  return success();
}

/// Nothing is seen from outside the executable, but for what addQuery adds.
/// Constants are small: each object has those that it uses.
void NativeCode::setLinkage() {
  for (llvm::Function &function : *module)
    if (!function.isDeclaration())
      function.setVisibility(llvm::GlobalValue::HiddenVisibility);
  for (llvm::GlobalVariable &global : llvm::make_early_inc_range(module->globals())) {
    if (global.isDeclaration())
      continue;
    // Profilers find timers by their names.
    if (!global.getName().starts_with(PLUMB_TIMER_PREFIX))
      global.setLinkage(llvm::GlobalValue::PrivateLinkage);
    if (global.use_empty())
      global.eraseFromParent();
  }
}

/// Functions carry their target: command line options do not reach them.
void NativeCode::setAttributes() {
  for (llvm::Function &function : *module) {
    function.addFnAttr(llvm::Attribute::NoUnwind);
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", target.cpu);
    if (!target.tuning.empty())
      function.addFnAttr("tune-cpu", target.tuning);
    // Vectors that registers do not hold lie on lines of their own.
    function.addFnAttr("stackrealign");
    if (!target.features.empty())
      function.addFnAttr("target-features", target.features);
    if (target.machine.vectorBits == 512)
      function.addFnAttr("prefer-vector-width", "512");
  }
}

void NativeCode::printIR(llvm::raw_ostream &os) const { module->print(os, nullptr); }

LogicalResult NativeCode::generate(llvm::CodeGenFileType type, SmallVectorImpl<char> &output) {
  llvm::raw_svector_ostream os(output);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, os, nullptr, type,
                                   /*DisableVerify=*/true))
    return failure();
  passes.run(*module);
  return success();
}
