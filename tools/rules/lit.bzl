"""One sh_test per lit file, and all of a folder's as a filegroup."""

def lit_tests(tools = ["//tools:plumb-opt"], data = [], patterns = ["*.mlir", "*.test"], size = "small", tags = []):
    """Makes each file that matches `patterns` in this folder a test named `<file>.test`, and `:lit_files` of them all.

    Args:
      tools: programs under test; they are on PATH of the RUN lines by their own names.
      data: other files that RUN lines read.
      patterns: which files are tests.
      size: Bazel's size of each test.
      tags: Bazel's tags of each test.
    """
    native.filegroup(name = "lit_files", srcs = native.glob(patterns), visibility = ["//test:__subpackages__"])
    for file in native.glob(patterns):
        native.sh_test(
            name = file + ".test",
            size = size,
            srcs = ["//test:run_lit.sh"],
            args = ["$(location %s)" % file],
            data = [file, "//test:lit.cfg.py", "@llvm//:test_tools"] + tools + data,
            tags = tags,
        )
