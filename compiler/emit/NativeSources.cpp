// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C compiler of the system makes an object of each source; what is in it is
// looked at before it is linked. The loader maps code and constants, and knows a
// list of functions (runtime/abi/host_functions.h): an object that calls others,
// or wants code to run while it is loaded, would be refused there, by a name that
// says nothing of the program. Variables that keep values from call to call are
// refused as well: no checkpoint would hold them.

#include "compiler/emit/NativeSources.h"

#include "compiler/emit/Tools.h"
#include "dialects/native/ir/Native.h"
#include "runtime/abi/host_functions.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/ObjCopy/ConfigManager.h"
#include "llvm/ObjCopy/ObjCopy.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace plumb;

using ElfFile = llvm::object::ELFObjectFile<llvm::object::ELF64LE>;

namespace {

/// A source and the declarations of its functions that are called.
struct Source {
  native::SourceAttr source;
  SmallVector<LLVM::LLVMFuncOp> functions;

  Location getLoc() { return functions.front().getLoc(); }
};

} // namespace

static StringRef getFunctionName(LLVM::LLVMFuncOp function) {
  return function->getAttrOfType<StringAttr>("native.function").getValue();
}

/// The sources behind the declarations of `module`, in order.
static SmallVector<Source> collectSources(device::ModuleOp module) {
  llvm::MapVector<Attribute, Source> sources;
  for (auto function : module.getBody().getOps<LLVM::LLVMFuncOp>())
    if (auto source = function->getAttrOfType<native::SourceAttr>("native.source")) {
      sources[source].source = source;
      sources[source].functions.push_back(function);
    }
  return llvm::map_to_vector(sources, [](auto &entry) { return entry.second; });
}

bool plumb::hasNativeSources(device::ModuleOp module) { return !collectSources(module).empty(); }

/// An error at the line that calls a function of `source`.
static InFlightDiagnostic refuse(Source &source) {
  return emitError(source.getLoc(), "the custom operator '") << getFunctionName(source.functions.front()) << "' ";
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

/// Lines behind the source that only compile if `function` has the signature that
/// it is called with. Programs spell `int64_t` in several ways.
static std::string checkSignature(StringRef function, bool isCxx) {
  std::string before = "int (*)(int, void **, int *, ", after = " **, const char **, void *, void *)";
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "\n#line 1 \"the signature of a custom operator\"\n";
  if (isCxx)
    os << "template <typename T> constexpr bool plumb_fits_" << function
       << "(int (*)(int, void **, int *, T **, const char **, "
       << "void *, void *)) { return sizeof(T) == 8; }\n"
       << "constexpr bool plumb_fits_" << function << "(...) { return false; }\n"
       << "static_assert(plumb_fits_" << function << "(&" << function << ")";
  else {
    os << "_Static_assert(_Generic(&" << function << ", ";
    for (StringRef integer : {"long", "unsigned long", "long long", "unsigned long long"})
      os << before << integer << after << ": 1, ";
    os << "default: 0)";
  }
  os << ", \"it must be int " << function
     << "(int nparam, void **params, int *ndims, int64_t **shapes, const char **dtypes, void *stream, void "
        "*extra)\");\n";
  return text;
}

/// The flags that say which instructions there are.
static std::string getMachineFlag(const TargetFacts &target) {
  auto has = [&](StringRef feature) { return llvm::is_contained(target.features, feature); };
  if (!llvm::Triple(target.triple).isX86())
    return "";
  if (has("avx512f") && has("avx512bw") && has("avx512vl") && has("avx512dq") && has("avx512cd"))
    return "-march=x86-64-v4";
  if (has("avx2") && has("fma") && has("bmi") && has("bmi2") && has("movbe") && has("f16c"))
    return "-march=x86-64-v3";
  return has("sse4.2") && has("popcnt") ? "-march=x86-64-v2" : "";
}

static std::string findCompiler(const llvm::Triple &target, bool isCxx) {
  llvm::Triple host(llvm::sys::getDefaultTargetTriple());
  if (target.getArch() != host.getArch())
    return findTool({StringRef((target.getArchName() + "-linux-gnu-" + (isCxx ? "g++" : "gcc")).str())});
  return isCxx ? findTool({"c++", "g++", "clang++"}) : findTool({"cc", "gcc", "clang"});
}

/// Position-independent code that needs nothing but functions of the list, and
/// computes what the source says: no product is fused with a sum.
static std::vector<std::string> getFlags(const TargetFacts &target, bool isCxx) {
  // clang-format off
  std::vector<std::string> flags = {
      "-c", "-O3", "-fPIC", "-fvisibility=hidden", "-ffunction-sections", "-fdata-sections", "-fno-stack-protector",
      "-fno-math-errno", "-ffp-contract=off", "-fno-asynchronous-unwind-tables", "-fno-unwind-tables",
      "-U_FORTIFY_SOURCE", "-fno-common"};
  // clang-format on
  if (isCxx)
    flags.insert(flags.end(), {"-std=c++17", "-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics"});
  else
    flags.push_back("-Werror=implicit-function-declaration");
  if (llvm::Triple(target.triple).isX86())
    flags.push_back("-fcf-protection=none");
  if (std::string machine = getMachineFlag(target); !machine.empty())
    flags.push_back(machine);
  return flags;
}

/// Compiles `source`; the object's bytes, or null when that failed.
static std::unique_ptr<llvm::WritableMemoryBuffer> compileSource(Source &source, const TargetFacts &target) {
  bool isCxx = source.source.getLanguage() == "c++";
  llvm::Triple triple(target.triple);
  std::string compiler = findCompiler(triple, isCxx);
  if (compiler.empty()) {
    refuse(source) << "cannot be compiled: there is no " << (isCxx ? "C++" : "C") << " compiler for "
                   << triple.getArchName() << " on the PATH; install " << (isCxx ? "g++" : "gcc");
    return nullptr;
  }
  ScratchFile text(isCxx ? "cc" : "c"), object("o");
  bool isWritten = !text.error && !object.error && text.write([&](llvm::raw_ostream &os) {
    os << "#line 1 \"";
    os.write_escaped(source.source.getFile()) << "\"\n" << source.source.getText() << "\n";
    for (LLVM::LLVMFuncOp function : source.functions)
      os << checkSignature(getFunctionName(function), isCxx);
  });
  if (!isWritten) {
    emitError(source.getLoc(), "cannot write a temporary file for the compiler");
    return nullptr;
  }
  std::vector<std::string> flags = getFlags(target, isCxx);
  SmallVector<StringRef> arguments = {compiler};
  arguments.append(flags.begin(), flags.end());
  arguments.append({"-o", object.path, text.path});
  std::string said;
  if (!runTool(compiler, arguments, said)) {
    refuse(source) << "cannot be compiled:\n" << said;
    return nullptr;
  }
  return object.read();
}

//===----------------------------------------------------------------------===//
// Looking at objects
//===----------------------------------------------------------------------===//

static const llvm::StringSet<> &getHostFunctions() {
#define PLUMB_TWINS(name) #name, #name "f",
#define PLUMB_NAME(name, ...) #name,
  static const llvm::StringSet<> names = {PLUMB_HOST_UNARY(PLUMB_TWINS) PLUMB_HOST_BINARY(PLUMB_TWINS)
                                              PLUMB_HOST_OTHERS(PLUMB_NAME)};
#undef PLUMB_TWINS
#undef PLUMB_NAME
  return names;
}

/// Whether a section of this name and these flags may lie in an executable.
static LogicalResult checkSection(Source &source, StringRef name, const llvm::object::ELFSectionRef &section) {
  uint64_t flags = section.getFlags();
  if (!(flags & llvm::ELF::SHF_ALLOC) || section.getSize() == 0)
    return success();
  if (flags & llvm::ELF::SHF_TLS)
    return refuse(source) << "has variables of a thread (" << name << "), which an executable cannot have";
  if (name.starts_with(".init_array") || name.starts_with(".ctors") || name.starts_with(".fini_array") ||
      name.starts_with(".dtors"))
    return refuse(source) << "has code that runs before it is called (" << name
                          << "): constructors of variables outside of functions, or of the header <iostream>";
  for (StringRef prefix : {".text", ".rodata", ".data.rel.ro", ".eh_frame", ".note"})
    if (name.starts_with(prefix))
      return success();
  if (flags & llvm::ELF::SHF_WRITE)
    return refuse(source) << "keeps a value from call to call in a static variable (" << name
                          << "); checkpoints would not hold it: make it const, or an input and an output";
  return refuse(source) << "has a section " << name << ", which an executable cannot have";
}

/// Whether the loader can do what a symbol asks for.
static LogicalResult checkSymbol(Source &source, StringRef name, const llvm::object::ELFSymbolRef &symbol) {
  auto flags = symbol.getFlags();
  if (!flags)
    return llvm::consumeError(flags.takeError()), failure();
  if (symbol.getELFType() == llvm::ELF::STT_GNU_IFUNC)
    return refuse(source) << "has a function '" << name << "' that is chosen while it is loaded, which cannot be";
  if (!(*flags & llvm::object::SymbolRef::SF_Undefined) || name.empty() || name == "_GLOBAL_OFFSET_TABLE_" ||
      getHostFunctions().contains(name))
    return success();
  return refuse(source) << "calls '" << llvm::demangle(name)
                        << "', which is none of the functions that an executable may "
                        << "call: mathematics, memory and strings of C (runtime/abi/host_functions.h)";
}

/// Checks everything in the object, and that it has the functions.
static LogicalResult checkObject(Source &source, const ElfFile &object) {
  for (const llvm::object::SectionRef &section : object.sections()) {
    auto name = section.getName();
    if (!name || failed(checkSection(source, *name, section)))
      return llvm::consumeError(name.takeError()), failure();
  }
  llvm::StringSet<> defined;
  for (const llvm::object::ELFSymbolRef symbol : object.symbols()) {
    auto name = symbol.getName();
    if (!name || failed(checkSymbol(source, *name, symbol)))
      return llvm::consumeError(name.takeError()), failure();
    if (symbol.getBinding() == llvm::ELF::STB_GLOBAL && symbol.getELFType() == llvm::ELF::STT_FUNC)
      defined.insert(*name);
  }
  for (LLVM::LLVMFuncOp function : source.functions)
    if (!defined.contains(getFunctionName(function)))
      return emitError(function.getLoc(), "the source '")
             << source.source.getFile() << "' exports no function '" << getFunctionName(function)
             << "'; define it, not static and in C++ as extern \"C\"";
  return success();
}

/// The object with the functions under the names of their declarations, and all
/// else local to it: two sources may use one name.
static LogicalResult localize(Source &source, ElfFile &object, ObjectFile &result) {
  llvm::objcopy::ConfigManager config;
  auto match = [](StringRef name) {
    return llvm::objcopy::NameOrPattern::create(name, llvm::objcopy::MatchStyle::Literal,
                                                [](llvm::Error error) { return error; });
  };
  llvm::Error error = config.Common.ToRemove.addMatcher(match(".group"));
  for (LLVM::LLVMFuncOp function : source.functions) {
    StringRef name = getFunctionName(function);
    config.Common.SymbolsToRename[name] = function.getSymName();
    error = llvm::joinErrors(std::move(error), config.Common.SymbolsToKeepGlobal.addMatcher(match(name)));
    llvm::objcopy::NameMatcher hidden;
    error = llvm::joinErrors(std::move(error), hidden.addMatcher(match(name)));
    config.ELF.SymbolsToSetVisibility.emplace_back(std::move(hidden), llvm::ELF::STV_HIDDEN);
  }
  llvm::raw_svector_ostream os(result);
  if (!error)
    error = llvm::objcopy::executeObjcopyOnBinary(config, object, os);
  if (!error)
    return success();
  return refuse(source) << "cannot be linked: " << llvm::toString(std::move(error));
}

LogicalResult plumb::compileNativeSources(device::ModuleOp module, const TargetFacts &target,
                                          std::vector<ObjectFile> &objects) {
  for (Source &source : collectSources(module)) {
    auto buffer = compileSource(source, target);
    if (!buffer)
      return failure();
    StringRef bytes(buffer->getBufferStart(), buffer->getBufferSize());
    auto object = ElfFile::create(llvm::MemoryBufferRef(bytes, source.source.getFile()));
    if (!object)
      return refuse(source) << "cannot be linked: " << llvm::toString(object.takeError());
    if (failed(checkObject(source, *object)) || failed(localize(source, *object, objects.emplace_back())))
      return failure();
  }
  return success();
}
