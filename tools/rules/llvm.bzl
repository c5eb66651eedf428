"""Debian's LLVM and MLIR packages as one external repository."""

_BUILD = """
package(default_visibility = ["//visibility:public"])

# By SONAME: the plain names link but do not load at run time.
cc_import(name = "libLLVM", shared_library = "lib/libLLVM.so.{soversion}")
cc_import(name = "libMLIR", shared_library = "lib/libMLIR.so.{soversion}")

cc_library(
    name = "llvm",
    hdrs = glob(["include/llvm/**", "include/llvm-c/**"]),
    includes = ["include"],
    # Debian keeps these libraries off the loader's path.
    linkopts = ["-Wl,-rpath,{prefix}/lib"],
    deps = [":libLLVM"],
)

cc_library(
    name = "mlir",
    hdrs = glob(["include/mlir/**", "include/mlir-c/**"]),
    includes = ["include"],
    deps = [":libMLIR", ":llvm"],
)

# The linker for ELF as a library; it exists as archives only.
cc_import(name = "liblldCommon", static_library = "lib/liblldCommon.a")
cc_import(name = "liblldELF", static_library = "lib/liblldELF.a")

cc_library(
    name = "lld",
    hdrs = glob(["include/lld/**"]),
    includes = ["include"],
    linkopts = ["-lz", "-lzstd"],
    deps = [":liblldELF", ":liblldCommon", ":llvm"],
)

filegroup(name = "td", srcs = glob(["include/mlir/**/*.td"]))
filegroup(name = "mlir_tblgen", srcs = ["bin/mlir-tblgen"])
filegroup(name = "test_tools", srcs = ["bin/FileCheck", "bin/not", "bin/count", "bin/lit"])
"""

def _debian_llvm_impl(ctx):
    for folder in ["include", "lib", "bin"]:
        ctx.symlink(ctx.attr.prefix + "/" + folder, folder)
    ctx.file("BUILD", _BUILD.format(prefix = ctx.attr.prefix, soversion = ctx.attr.soversion))

debian_llvm = repository_rule(
    implementation = _debian_llvm_impl,
    attrs = {
        "prefix": attr.string(mandatory = True, doc = "where the packages install LLVM"),
        "soversion": attr.string(mandatory = True, doc = "version in the shared libraries' SONAMEs"),
    },
    local = True,
    doc = "Offers :mlir, :llvm, :lld, :td, :mlir_tblgen and :test_tools.",
)
