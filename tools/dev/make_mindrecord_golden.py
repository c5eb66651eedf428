#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes MindRecord files with MindSpore 2.0.0 into test/data/mindrecord/files.tar.gz, or reads files with it.

  make_mindrecord_golden.py          write the archive
  make_mindrecord_golden.py FILE…    print the rows of files, to see that MindSpore reads what the package wrote

Needs MindSpore 2.0.0 (`tools/dev/install_peers FOLDER mindspore`), which nothing else here does. The rows are those of
test/python/mindrecord_test.py.
"""

import os
import sys
import tarfile
import tempfile

import numpy as np
from mindspore.mindrecord import FileReader, FileWriter

OUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../test/data/mindrecord/files.tar.gz")
SCHEMA = {"name": {"type": "string"}, "label": {"type": "int32"}, "big": {"type": "int64"}, "f": {"type": "float32"},
          "d": {"type": "float64"}, "data": {"type": "bytes"}, "arr": {"type": "float32", "shape": [2, -1]},
          "ids": {"type": "int32", "shape": [-1]}, "longs": {"type": "int64", "shape": [-1]}}


def mixed(i):
    """A row with a field of each kind."""
    return {"name": f"naïve {i}", "label": i, "big": -10 ** 12 * i, "f": 0.25 * i, "d": 0.1 * i, "data": b"abc" * i + b"z",
            "arr": np.arange(2 * (i + 1), dtype=np.float32).reshape(2, -1), "ids": np.array([1, -2, 300, 70000, -129], np.int32)[:i + 1],
            "longs": np.array([1, -2, 300, 2 ** 40, -2 ** 31], np.int64)}


def pictures(count):
    """Rows that fill several pages."""
    rng = np.random.RandomState(0)
    return [{"label": i, "note": "x" * 300, "data": rng.bytes(20) * rng.randint(5, 200)} for i in range(count)]


def write(path, schema, rows, index=None, shards=1):
    """Writes a file of small pages."""
    writer = FileWriter(path, shards)
    writer.set_header_size(1 << 14)
    writer.set_page_size(1 << 15)
    writer.add_schema(schema, "a description")
    if index:
        writer.add_index(index)
    writer.write_raw_data(rows)
    writer.commit()


def write_all(folder):
    """Writes each file into a folder, which becomes the working one."""
    os.chdir(folder)
    write("mixed.mindrecord", SCHEMA, [mixed(i) for i in range(5)], ["label", "name"])
    write("blob.mindrecord", {"label": {"type": "int32"}, "data": {"type": "bytes"}}, [{"label": i, "data": b"%d" % i * 3} for i in range(3)])
    write("raw.mindrecord", {"label": {"type": "int32"}, "text": {"type": "string"}}, [{"label": i, "text": f"t{i}"} for i in range(3)])
    write("bytes.mindrecord", {"data": {"type": "bytes"}}, [{"data": b"%d" % i * 3} for i in range(3)])
    schema = {"label": {"type": "int32"}, "note": {"type": "string"}, "data": {"type": "bytes"}}
    write("pages.mindrecord", schema, pictures(30))
    rows = [{"label": i, "note": "ab"[i % 2], "data": b"%d" % i} for i in range(10)]
    write("shards.mindrecord", schema, rows, shards=4)


def main():
    """Writes the archive, or reads files."""
    for path in sys.argv[1:]:
        reader = FileReader(path)
        for row in reader.get_next():
            print(row)
        reader.close()
    if len(sys.argv) > 1:
        return
    os.makedirs(os.path.dirname(OUT), exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, tarfile.open(OUT, "w:gz") as archive:
        write_all(folder)
        for name in sorted(os.listdir(folder)):
            archive.add(name)


if __name__ == "__main__":
    main()
