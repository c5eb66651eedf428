"""C++ libraries on MLIR, whose headers are parsed once for all of them."""

load("@bazel_tools//tools/build_defs/cc:action_names.bzl", "CPP_COMPILE_ACTION_NAME")
load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

_HEADER = "mlir_precompiled.h"

def _precompiled_header_impl(ctx):
    toolchain = find_cpp_toolchain(ctx)
    header = ctx.actions.declare_file(_HEADER)
    ctx.actions.write(header, "".join(["#include \"%s\"\n" % name for name in ctx.attr.headers]))
    offered = [header]
    compilation = cc_common.merge_cc_infos(cc_infos = [dep[CcInfo] for dep in ctx.attr.deps]).compilation_context

    # Clang does not read GCC's format; it includes the plain header.
    if "clang" not in toolchain.compiler_executable:
        precompiled = ctx.actions.declare_file(_HEADER + ".gch")
        _precompile(ctx, toolchain, compilation, header, precompiled)
        offered.append(precompiled)
    context = cc_common.create_compilation_context(
        headers = depset(offered),
        quote_includes = depset([header.dirname]),
    )
    return [CcInfo(compilation_context = context), DefaultInfo(files = depset(offered))]

def _precompile(ctx, toolchain, compilation, header, precompiled):
    """Runs the compiler with the very flags of ordinary sources; with others GCC would pass the result over."""
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
    ctx.actions.run(
        executable = toolchain.compiler_executable,
        arguments = flags + ["-x", "c++-header", "-c", header.path, "-o", precompiled.path],
        inputs = depset([header], transitive = [compilation.headers, toolchain.all_files]),
        outputs = [precompiled],
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
    doc = "Offers `mlir_precompiled.h`, which includes `headers`, and its parsed form for GCC.",
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
        copts = ["-include", _HEADER] + copts,
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
        copts = ["-include", _HEADER] + copts,
        **kwargs
    )
