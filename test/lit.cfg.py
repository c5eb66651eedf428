"""lit's configuration: shell tests over .mlir files, scratch space from Bazel."""

import os

import lit.formats

config.name = "plumb"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".mlir", ".test"]
config.test_exec_root = os.environ.get("TEST_TMPDIR", "/tmp")
for variable in ("PATH", "HOME", "TEST_TMPDIR", "TEST_SRCDIR", "PLUMB_VERIFY_PASSES"):
    if variable in os.environ:
        config.environment[variable] = os.environ[variable]
