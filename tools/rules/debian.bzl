"""Debian's small libraries as one external repository.

Headers lie on the compiler's own search path, so a library here is only its
link flags. Abseil and FlatBuffers link statically: what the runtime ships
must not ask for them on the user's machine.
"""

_ABSL = [
    "base",
    "flat_hash_map",
    "random_random",
    "span",
    "status",
    "statusor",
    "str_format",
    "strings",
    "synchronization",
    "time",
]

_LIBRARY = """
cc_library(
    name = "{name}",
    linkopts = {linkopts},
)
"""

_PYTHON = """
cc_library(
    name = "python",
    hdrs = glob(["python_include/**/*.h"]),
    includes = ["python_include"],
)
"""

def _static(flag):
    """Turns -lfoo into the static archive's name where Debian ships one."""
    return "-l:lib%s.a" % flag[2:] if flag.startswith("-labsl") else flag

def _absl_linkopts(ctx, module):
    result = ctx.execute(["pkg-config", "--libs", "absl_" + module])
    if result.return_code != 0:
        fail("pkg-config knows no absl_%s; install libabsl-dev and pkg-config" % module)
    return [_static(flag) for flag in result.stdout.split(" ") if flag.startswith("-labsl")] + ["-lpthread"]

def _debian_libraries_impl(ctx):
    content = ["package(default_visibility = [\"//visibility:public\"])\n"]
    libraries = {
        "benchmark": ["-lbenchmark", "-lpthread"],
        "dl": ["-ldl"],
        "flatbuffers": ["-l:libflatbuffers.a"],
        "gtest": ["-lgmock", "-lgtest", "-lpthread"],
        "gtest_main": ["-lgmock_main", "-lgmock", "-lgtest", "-lpthread"],
        "sodium": ["-l:libsodium.a"],
        "zlib": ["-l:libz.a"],
    }
    for module in _ABSL:
        libraries["absl_" + module] = _absl_linkopts(ctx, module)
    for name, linkopts in sorted(libraries.items()):
        content.append(_LIBRARY.format(name = name, linkopts = repr(linkopts)))
    ctx.symlink("/usr/include/python3.11", "python_include")
    content.append(_PYTHON)
    content.append("exports_files([\"flatc\"])\n")
    ctx.symlink("/usr/bin/flatc", "flatc")
    ctx.file("BUILD", "".join(content))

debian_libraries = repository_rule(
    implementation = _debian_libraries_impl,
    local = True,
    doc = "Offers :absl_*, :gtest_main, :flatbuffers, :flatc, :python, :zlib, ….",
)
