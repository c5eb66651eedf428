"""One sh_test per unittest file."""

def python_tests(names, data = [], size = "medium", tags = []):
    """Makes each file `<name>.py` of this folder a test named `<name>`, run by Debian's Python with the `plumb` package on its path.

    Args:
      names: the files, without `.py`.
      data: what the tests read or run.
      size: Bazel's size of each test.
      tags: Bazel's tags of each test.
    """
    for name in names:
        native.sh_test(
            name = name,
            size = size,
            srcs = ["//test/python:run_python.sh"],
            args = ["$(location %s.py)" % name],
            data = [name + ".py"] + data,
            tags = tags,
        )
