"""C++ libraries on MLIR, whose headers are parsed once for all of them."""

load("@bazel_tools//tools/build_defs/cc:action_names.bzl", "CPP_COMPILE_ACTION_NAME")
load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

# Clang takes the parsed form where it finds `mlir_precompiled.h.pch` instead of the header, which does not exist.
_HEADER = "mlir_precompiled.h"
_PARSED = _HEADER + ".pch"
_FOLDER = "$(GENDIR)/tools/rules/"

# The parsed form stands for the system headers (-MMD) in the list of what a source depends on.
_INCLUDE_HEADER = ["-Wno-unused-command-line-argument", "-include", _FOLDER + _HEADER, "-MMD", "-Xclang", "-fdepfile-entry=" + _FOLDER + _PARSED]

def _precompiled_header_impl(ctx):
    compilation = cc_common.merge_cc_infos(cc_infos = [dep[CcInfo] for dep in ctx.attr.deps]).compilation_context
    header = ctx.actions.declare_file(ctx.label.name + ".txt")
    ctx.actions.write(header, "".join(["#include \"%s\"\n" % name for name in ctx.attr.headers]))
    parsed = ctx.actions.declare_file(_PARSED)
    _precompile(ctx, compilation, header, parsed)
    context = cc_common.create_compilation_context(headers = depset([parsed]))
    return [CcInfo(compilation_context = context), DefaultInfo(files = depset([parsed]))]

def _precompile(ctx, compilation, header, parsed):
    """Runs the compiler with the very flags of ordinary sources; with others the result could not be included.

    Templates that the headers use are instantiated here, once. The result is the same in every checkout, so that the
    disk cache serves them all: it names files from the folder that the compiler runs in, and holds no times.
    """
    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    variables = cc_common.create_compile_variables(
        feature_configuration = features,
        cc_toolchain = toolchain,
        user_compile_flags = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts,
        include_directories = compilation.includes,
        quote_include_directories = compilation.quote_includes,
        system_include_directories = compilation.system_includes,
        use_pic = True,
    )
    flags = cc_common.get_memory_inefficient_command_line(
        feature_configuration = features,
        action_name = CPP_COMPILE_ACTION_NAME,
        variables = variables,
    )
    more = ["-Xclang", "-fpch-instantiate-templates", "-Xclang", "-fno-pch-timestamp", "-x", "c++-header", "-", "-o", parsed.path]
    ctx.actions.run_shell(
        command = "PWD=/proc/self/cwd \"$@\" < " + header.path,
        arguments = [toolchain.compiler_executable] + flags + more,
        inputs = depset([header], transitive = [compilation.headers, toolchain.all_files]),
        outputs = [parsed],
        env = cc_common.get_environment_variables(
            feature_configuration = features,
            action_name = CPP_COMPILE_ACTION_NAME,
            variables = variables,
        ),
        mnemonic = "CppPrecompile",
    )

precompiled_header = rule(
    implementation = _precompiled_header_impl,
    attrs = {
        "deps": attr.label_list(providers = [CcInfo], doc = "libraries that offer the headers"),
        "headers": attr.string_list(mandatory = True, doc = "as an #include names them"),
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
    doc = "Offers `mlir_precompiled.h.pch`, the parsed form of a header that includes `headers`, for Clang.",
)

def mlir_library(deps = [], copts = [], **kwargs):
    """A cc_library whose sources find MLIR's headers parsed. Sources still include what they use.

    Args:
      deps: as of cc_library.
      copts: as of cc_library.
      **kwargs: all else of cc_library.
    """
    native.cc_library(
        deps = deps + ["//tools/rules:mlir_precompiled"],
        copts = _INCLUDE_HEADER + copts,
        **kwargs
    )

def mlir_test(deps = [], copts = [], **kwargs):
    """A GoogleTest of C++ on MLIR: a cc_test with the headers parsed.

    Args:
      deps: as of cc_test; GoogleTest's main is added.
      copts: as of cc_test.
      **kwargs: all else of cc_test.
    """
    native.cc_test(
        deps = deps + ["//tools/rules:mlir_precompiled", "@debian//:gtest_main"],
        copts = _INCLUDE_HEADER + copts,
        **kwargs
    )
