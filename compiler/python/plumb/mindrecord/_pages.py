"""The MindRecord format, version 3.0: files of pages, and an SQLite index beside each.

A file begins with a header: the length of a JSON text (8 bytes, the lowest first), the text, zeros up to `header_size`. Pages
of `page_size` bytes follow, the last of which may be cut. A blob page holds the blobs of some rows, a raw page their raw fields
(`_schema.py`), each row behind its length (8 bytes, the lowest first). The rows of one blob page are a row group, numbered by
blob pages; its raw fields stand together in one raw page. The index, FILE.db, has a row for each row of the file: the pages,
where in them its bytes begin and end, and the fields that were chosen to search by.

What the header's JSON has is documented by files: `test/data/mindrecord` has some that MindSpore wrote.
"""

import contextlib
import json
import os
import struct

from plumb.mindrecord import _msgpack
from plumb.mindrecord._schema import SQL_TYPES, Schema

VERSION = "3.0"
HEADER_SIZE, PAGE_SIZE = 1 << 24, 1 << 25
HEADER_SIZES, PAGE_SIZES = (1 << 14, 1 << 27), (1 << 15, 1 << 28)
_LENGTH = struct.Struct("<Q")
_PLACE_NAMES = ["PAGE_ID_RAW", "PAGE_OFFSET_RAW", "PAGE_OFFSET_RAW_END", "ROW_GROUP_ID", "PAGE_ID_BLOB", "PAGE_OFFSET_BLOB",
                "PAGE_OFFSET_BLOB_END"]


def read_header(path):
    """Returns the JSON object of a file's header; raises ValueError where there is none."""
    with open(path, "rb") as file:
        head = file.read(_LENGTH.size)
        length = _LENGTH.unpack(head)[0] if len(head) == _LENGTH.size else 0
        try:
            if not 0 < length <= HEADER_SIZES[1]:
                raise ValueError(f"its length is {length}")
            header = json.loads(file.read(length))
            if header["version"] != VERSION:
                raise ValueError(f"its version is {header['version']}, not {VERSION}")
        except (ValueError, KeyError, TypeError) as problem:
            raise ValueError(f"'{path}' is no MindRecord file, or was not committed: the header cannot be read: {problem}") from None
    return header


def family(path):
    """The paths of all files that were written together with the one at `path`."""
    folder = os.path.dirname(path)
    return [os.path.join(folder, os.path.basename(name)) for name in read_header(path)["shard_addresses"]]


class ReadShard:
    """One file, open for reading: any thread, and processes forked later, may call `row`."""

    def __init__(self, path):
        self.path, self._header = path, read_header(path)
        self.schema = Schema(self._header["schema"][0]["schema"])
        self.places = self._read_index()
        self._file = os.open(path, os.O_RDONLY)

    def close(self):
        """Closes the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def __del__(self):
        if getattr(self, "_file", None) is not None:
            self.close()

    def indexed_fields(self):
        """The fields that the index has."""
        return [entry["index_field"] for entry in self._header["index_fields"] or []]

    def _read_index(self):
        return [row[1:] for row in self.query(f"SELECT ROW_ID, {', '.join(_PLACE_NAMES)} FROM INDEXES ORDER BY ROW_ID")]

    def query(self, text, values=()):
        """The rows that a query of the index gives."""
        if not os.path.isfile(self.path + ".db"):
            raise ValueError(f"The index '{self.path}.db' of '{self.path}' does not exist.")
        import sqlite3  # late, as all of the package is imported with `plumb`
        try:
            with contextlib.closing(sqlite3.connect(f"file:{self.path}.db?mode=ro", uri=True)) as base:
                return base.execute(text, values).fetchall()
        except sqlite3.Error as problem:
            raise ValueError(f"'{self.path}.db' is no index of a MindRecord file: {problem}") from None

    def row(self, number, names):
        """The named fields of a row: numbers, strings, bytes and arrays, by name; the raw ones first."""
        raw_page, raw_begin, raw_end, _, blob_page, blob_begin, blob_end = self.places[number]
        try:
            found = {}
            if any(name in self.schema.raws for name in names):
                raw = _msgpack.loads(self._content(raw_page, raw_begin, raw_end))
                found = {name: raw[name] for name in self.schema.raws if name in names}
            if any(name in self.schema.blobs for name in names):
                found.update(self.schema.blob_values(memoryview(self._content(blob_page, blob_begin, blob_end)), names))
            return found
        except (ValueError, KeyError, TypeError, struct.error) as problem:
            raise ValueError(f"'{self.path}': row {number} cannot be read: {problem}") from None

    def _content(self, page, begin, end):
        """A row's bytes on a page, without their length."""
        content = os.pread(self._file, end - begin, self._header["header_size"] + page * self._header["page_size"] + begin)
        if len(content) != end - begin or _LENGTH.unpack_from(content)[0] != len(content) - _LENGTH.size:
            raise ValueError("the index does not fit the file")
        return content[_LENGTH.size:]


class _Page:
    """A page that is being filled."""

    def __init__(self, shard, kind, page_id, type_id, first_row=0):
        self.content = bytearray()
        self.entry = {"end_row_id": 0, "page_id": page_id, "page_size": 0, "page_type": kind, "page_type_id": type_id,
                      "row_group_ids": [], "shard_id": shard, "start_row_id": first_row}

    def add(self, content):
        """Adds a row's bytes; returns where they begin and end."""
        begin = len(self.content)
        self.content += _LENGTH.pack(len(content)) + content
        self.entry["page_size"] = len(self.content)
        return begin, len(self.content)


class WrittenShard:
    """One file that is being written, or appended to where `header` is given."""

    def __init__(self, path, number, header):
        self.path, self.header, self._number = path, header, number
        self._blob = self._raw = None
        self._group = []  # the present row group: (raw bytes, where the blob begins and ends, indexed values) of each row
        self._group_size = 0
        self._index = []
        pages = header["page"]
        self._next_page = 1 + max((page["page_id"] for page in pages), default=-1)
        self._blob_pages = sum(page["page_type"] == "BLOB_DATA" for page in pages)
        self.rows = max((page["end_row_id"] for page in pages), default=0)
        self._file = open(path, "r+b" if pages else "wb")  # pylint: disable=consider-using-with

    def add(self, raw, blob, indexed):
        """Adds a row: the bytes of its raw fields and of its blobs, and the values of the fields that the index has."""
        limit, needed = self.header["page_size"], max(len(raw), len(blob)) + _LENGTH.size
        if needed > limit:
            raise ValueError(f"A row of {needed} bytes does not fit a page of {limit}; take larger pages by set_page_size().")
        if self._blob is None or len(self._blob.content) + len(blob) + _LENGTH.size > limit \
                or self._group_size + len(raw) + _LENGTH.size > limit:
            self._end_group()
            self._blob = self._page("BLOB_DATA", self._blob_pages, self.rows)
            self._blob.entry["row_group_ids"].append({"id": 0, "offset": 0})
        self._group.append((raw, *self._blob.add(blob), indexed))
        self._group_size += len(raw) + _LENGTH.size
        self.rows += 1

    def _page(self, kind, type_id, first_row=0):
        self._next_page += 1
        return _Page(self._number, kind, self._next_page - 1, type_id, first_row)

    def _end_group(self):
        """Writes the present blob page and puts the raw fields of its rows into a raw page."""
        if self._blob is None:
            return
        limit = self.header["page_size"]
        if self._raw is None or len(self._raw.content) + self._group_size > limit:
            self._write(self._raw)
            self._raw = self._page("RAW_DATA", sum(page["page_type"] == "RAW_DATA" for page in self.header["page"]))
        number, first = self._blob_pages, self._blob.entry["start_row_id"]
        self._raw.entry["row_group_ids"].append({"id": number, "offset": len(self._raw.content)})
        for at, (raw, blob_begin, blob_end, indexed) in enumerate(self._group):
            raw_begin, raw_end = self._raw.add(raw)
            places = (self._raw.entry["page_id"], raw_begin, raw_end, number, self._blob.entry["page_id"], blob_begin, blob_end)
            self._index.append((first + at, *places, *(value for one in indexed for value in (0, one))))
        self._blob.entry["end_row_id"] = first + len(self._group)
        self._write(self._blob)
        self._blob_pages += 1
        self._blob, self._group, self._group_size = None, [], 0

    def _write(self, page):
        if page is not None:
            self._file.seek(self.header["header_size"] + page.entry["page_id"] * self.header["page_size"])
            self._file.write(page.content)
            self.header["page"].append(page.entry)

    def finish(self):
        """Writes what is left, the header and the index."""
        self._end_group()
        self._write(self._raw)
        self.header["page"].sort(key=lambda page: page["page_id"])
        text = json.dumps(self.header, separators=(",", ":"), ensure_ascii=False).encode()
        if _LENGTH.size + len(text) > self.header["header_size"]:
            raise ValueError(f"The header has {len(text)} bytes, more than {self.header['header_size']}; take a larger one by "
                             f"set_header_size(), or larger pages by set_page_size().")
        self._file.seek(0)
        self._file.write((_LENGTH.pack(len(text)) + text).ljust(self.header["header_size"], b"\0"))
        self._file.close()
        self._write_index()

    def _write_index(self):
        import sqlite3
        fields = [entry["index_field"] for entry in self.header["index_fields"] or []]
        schema = self.header["schema"][0]["schema"]
        places = "".join(f", {name} INT NOT NULL" for name in _PLACE_NAMES)
        columns = "".join(f", INC_{at} INT, {name}_0 {SQL_TYPES[schema[name]['type']]}" for at, name in enumerate(fields))
        keys = "".join(f", INC_{at}" for at in range(len(fields)))
        with contextlib.closing(sqlite3.connect(self.path + ".db")) as base:
            base.execute("CREATE TABLE IF NOT EXISTS SHARD_NAME(NAME TEXT NOT NULL)")
            base.execute("DELETE FROM SHARD_NAME")
            base.execute("INSERT INTO SHARD_NAME VALUES(?)", [os.path.basename(self.path)])
            base.execute(f"CREATE TABLE IF NOT EXISTS INDEXES(ROW_ID INT NOT NULL{places}{columns}, PRIMARY KEY(ROW_ID{keys}))")
            marks = ", ".join("?" * (1 + len(_PLACE_NAMES) + 2 * len(fields)))
            base.executemany(f"INSERT INTO INDEXES VALUES({marks})", self._index)
            base.commit()
