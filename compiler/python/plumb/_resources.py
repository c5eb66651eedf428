"""Large arrays beside a module's text: the rows of data sets that the program holds in memory.

The text names them (`dense_resource<train.x> : tensor<…>`). Their bytes lie in a safetensors file, which the compiler
maps, or in hexadecimal at the end of the text, where there is to be one file only.
"""

import json
import struct

from plumb._parse import text

_ALIGNMENT = 64
_NAMES = {"float32": "F32", "float64": "F64", "float16": "F16", "int8": "I8", "int16": "I16", "int32": "I32",
          "int64": "I64", "uint8": "U8", "uint16": "U16", "uint32": "U32", "uint64": "U64", "bool": "BOOL"}


def write_file(path, arrays):
    """Writes (name, array) pairs as a safetensors file; nothing when there are none."""
    if not arrays:
        return
    header, end = {}, 0
    for name, array in arrays:
        header[name] = {"dtype": _NAMES.get(array.dtype.name, "U8"), "shape": list(array.shape),
                        "data_offsets": [end, end + array.nbytes]}
        end += array.nbytes
    encoded = json.dumps(header).encode("utf-8")
    encoded += b" " * (-(len(encoded) + 8) % _ALIGNMENT)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(encoded)) + encoded)
        for _, array in arrays:
            file.write(array.reshape(-1).data)


def write_text(file, arrays):
    """Appends (name, array) pairs to a module's text."""
    if not arrays:
        return
    file.write("\n{-#\n  dialect_resources: {\n    builtin: {\n")
    for index, (name, array) in enumerate(arrays):
        # The first four bytes say how the rest is to be aligned.
        file.write(f'      {text.key(name)}: "0x{struct.pack("<I", _ALIGNMENT).hex()}')
        file.write(array.reshape(-1).data.hex())
        file.write('",\n' if index + 1 < len(arrays) else '"\n')
    file.write("    }\n  }\n#-}\n")
