// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links files in memory to a temporary one, which is gone afterwards whatever happens: executables by lld within this
// process, programs by the C++ compiler.

#include "compiler/emit/Link.h"

#include "compiler/emit/Manifest.h"
#include "compiler/emit/ManifestObject.h"
#include "compiler/emit/Tools.h"
#include "runtime/abi/executable_abi.h"

#include "lld/Common/Driver.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/TargetParser/Host.h"

#include <deque>
#include <memory>
#include <mutex>
#include <vector>

LLD_HAS_DRIVER(elf)

using namespace mlir;
using namespace plumb;

static StringRef getText(llvm::WritableMemoryBuffer &buffer) {
  return StringRef(buffer.getBufferStart(), buffer.getBufferSize());
}

/// Runs `program`, and reports what it said when it fails.
static LogicalResult runReported(Location location, StringRef program, ArrayRef<StringRef> arguments) {
  std::string said;
  if (runTool(program, arguments, said))
    return success();
  return emitError(location, "linking failed: ") << program << ": " << said;
}

/// Puts `inputs` into files, links them there by `link`; the result, or null
/// when that failed.
static std::unique_ptr<llvm::WritableMemoryBuffer>
linkWith(Location location, LinkInputs inputs, function_ref<LogicalResult(ArrayRef<StringRef>, StringRef)> link) {
  ScratchFile result("out");
  std::deque<MemoryFile> files;
  SmallVector<StringRef> paths;
  auto add = [&](function_ref<void(llvm::raw_ostream &)> print) -> LogicalResult {
    paths.push_back(files.emplace_back().path);
    if (result.error || !files.back().write(print))
      return emitError(location, "cannot write a temporary file '")
             << (result.error ? StringRef(result.path) : paths.back()) << "' for the linker";
    return success();
  };
  for (const ObjectFile &object : inputs.objects)
    if (failed(add([&](llvm::raw_ostream &os) { os.write(object.data(), object.size()); })))
      return nullptr;
  if (failed(add([&](llvm::raw_ostream &os) {
        writeManifestObject({inputs.manifest.data(), inputs.manifest.size()}, inputs.objects[0], os);
      })))
    return nullptr;
  inputs = LinkInputs();
  if (failed(link(paths, result.path)))
    return nullptr;
  auto linked = result.read();
  if (!linked)
    emitError(location, "cannot read the linker's output '") << result.path << "'";
  return linked;
}

/// Finds the manifest and the code in a linked file and sets its checksums.
static LogicalResult seal(Location location, MutableArrayRef<char> file) {
  auto fail = [&](const Twine &what) { return emitError(location, "the linked executable ") << what; };
  auto object = llvm::object::ELFObjectFile<llvm::object::ELF64LE>::create(
      llvm::MemoryBufferRef(StringRef(file.data(), file.size()), "executable"));
  if (!object)
    return fail("cannot be read back: " + toString(object.takeError()));
  StringRef manifest, text;
  for (const llvm::object::SectionRef &section : object->sections()) {
    auto name = section.getName();
    auto contents = section.getContents();
    if (!name || !contents) {
      llvm::consumeError(name.takeError());
      llvm::consumeError(contents.takeError());
      continue;
    }
    if (*name == PLUMB_MANIFEST_SECTION)
      manifest = *contents;
    if (*name == ".text")
      text = *contents;
  }
  if (manifest.empty() || text.empty())
    return fail("lacks its manifest or its code");
  char *start = file.data() + (manifest.data() - file.data());
  sealManifest(file, MutableArrayRef<char>(start, manifest.size()), ArrayRef<char>(text.data(), text.size()));
  return success();
}

/// Where Debian has libraries for `triple`: its own, or those of a cross compiler.
static std::vector<std::string> getLibraryFolders(const llvm::Triple &triple) {
  std::string name = (triple.getArchName() + "-linux-gnu").str();
  return {"-L/usr/lib/" + name, "-L/lib/" + name, "-L/usr/" + name + "/lib"};
}

/// Runs lld here: a process of its own takes ten times as long to start as a
/// small program takes to link. lld keeps its state in globals.
static LogicalResult runLinker(Location location, ArrayRef<StringRef> arguments) {
  static std::mutex alone;
  std::lock_guard<std::mutex> lock(alone);
  std::vector<std::string> copies(arguments.begin(), arguments.end());
  std::vector<const char *> command;
  for (const std::string &argument : copies)
    command.push_back(argument.c_str());
  std::string said;
  llvm::raw_string_ostream os(said);
  lld::Result result = lld::lldMain(command, llvm::nulls(), os, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode == 0)
    return success();
  return emitError(location, "linking failed: ") << StringRef(said).trim();
}

LogicalResult plumb::linkShared(Location location, LinkInputs inputs, const EmitOptions &options,
                                llvm::raw_ostream &os) {
  std::vector<std::string> folders = getLibraryFolders(inputs.triple);
  auto link = [&](ArrayRef<StringRef> paths, StringRef result) {
    // Unresolved math functions are libm's; only what is used is recorded. A
    // mapped output file would be a bus error on a full disk.
    // clang-format off
    SmallVector<StringRef> command(
        {"ld.lld", "-shared", "--gc-sections", "--build-id=none", "--hash-style=gnu", "-z", "relro", "-z", "now",
         "-z", "noexecstack", "-z", "separate-code", "--as-needed", "--no-undefined", "--threads=1",
         "--no-mmap-output-file", options.symbols ? "--discard-none" : "--strip-all", "-o", result});
    // clang-format on
    command.append(folders.begin(), folders.end());
    command.append(paths.begin(), paths.end());
    command.append({"-l:libm.so.6", "-l:libc.so.6"});
    return runLinker(location, command);
  };
  auto linked = linkWith(location, std::move(inputs), link);
  if (!linked || failed(seal(location, linked->getBuffer())))
    return failure();
  os << getText(*linked);
  return success();
}

/// The runtime's archive: named, in the environment, or near the compiler.
static std::string findArchive(StringRef archive) {
  if (!archive.empty())
    return archive.str();
  if (auto named = llvm::sys::Process::GetEnv("PLUMB_EXE_ARCHIVE"))
    return *named;
  static int anchor;
  SmallString<256> folder(llvm::sys::fs::getMainExecutable("plumbc", &anchor));
  llvm::sys::path::remove_filename(folder);
  for (StringRef place :
       {"../runtime/exe/libplumb_exe.a", "libplumb_exe.a", "../lib/libplumb_exe.a", "../lib/plumb/libplumb_exe.a"}) {
    SmallString<256> path(folder);
    llvm::sys::path::append(path, place);
    if (llvm::sys::fs::exists(path))
      return std::string(path);
  }
  return "";
}

LogicalResult plumb::linkProgram(Location location, LinkInputs inputs, const EmitOptions &options,
                                 llvm::raw_ostream &os) {
  llvm::Triple host(llvm::sys::getDefaultTargetTriple());
  if (inputs.triple.getArch() != host.getArch())
    return emitError(location, "a program is linked for this machine alone, not for ")
           << inputs.triple.getArchName() << "; emit an executable (--emit=plumb)";
  std::string compiler = findTool({"c++", "g++", "clang++-22", "clang++"});
  if (compiler.empty())
    return emitError(location, "no C++ compiler to link a program: install g++");
  std::string runtime = findArchive(options.exeArchive);
  if (runtime.empty())
    return emitError(location, "no runtime to link a program with: "
                               "libplumb_exe.a is not beside the compiler; "
                               "name it in PLUMB_EXE_ARCHIVE");
  auto link = [&](ArrayRef<StringRef> paths, StringRef result) {
    SmallVector<StringRef> command({compiler, "-o", result, "-Wl,--whole-archive"});
    command.append(paths.begin(), paths.end());
    command.append({"-Wl,--no-whole-archive", runtime, "-static-libstdc++", "-static-libgcc", "-Wl,--gc-sections",
                    "-lz", "-lm", "-lpthread", "-pie", "-Wl,-z,relro,-z,now,-z,noexecstack"});
    if (!options.symbols)
      command.push_back("-s");
    return runReported(location, compiler, command);
  };
  auto linked = linkWith(location, std::move(inputs), link);
  if (!linked)
    return failure();
  os << getText(*linked);
  return success();
}
