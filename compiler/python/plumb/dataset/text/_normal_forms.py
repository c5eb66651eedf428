"""Text as a model of sentencepiece wants it: characters in a normal form, spaces marked."""

import struct

SPACE = "\u2581"  # the mark of a space


class _Forms:
    """A table of normal forms: a double-array trie of bytes (Aoe 1989, as the library Darts-clone writes it), then the forms.

    Args:
      data: the trie's size in bytes, its units of 32 bits, forms that end in a byte 0.
    """

    def __init__(self, data):
        size = struct.unpack_from("<I", data)[0]
        self._units = struct.unpack_from(f"<{size // 4}I", data, 4)
        self._forms = data[4 + size:]

    @staticmethod
    def _offset(unit):
        return unit >> 10 << ((unit & 1 << 9) >> 6)

    def longest(self, text):
        """Returns (the form, how many bytes it stands for) of the longest beginning that has one, or None."""
        at, found = self._offset(self._units[0]), None
        for length, byte in enumerate(text, 1):
            at ^= byte
            unit = self._units[at]
            if unit & (1 << 31 | 0xFF) != byte:
                break
            at ^= self._offset(unit)
            if unit >> 8 & 1:
                found = self._units[at] & (1 << 31) - 1, length
        if found is None:
            return None
        begin = found[0]
        return self._forms[begin:self._forms.index(0, begin)], found[1]


class Normalizer:
    """Brings text into the form that a model's pieces have.

    Args:
      model: what the model's file says: `characters`, `leading_space`, `few_spaces`, `marked_spaces`, `space_behind`.
      kept: pieces that stay as they are, the longest first.
    """

    def __init__(self, model, kept):
        self._model, self._kept = model, [piece.encode() for piece in kept]
        self._forms = _Forms(model.characters) if model.characters else None

    def _parts(self, text):
        """Yields the forms of a text's characters, of one or of several at once."""
        at = 0
        while at < len(text):
            piece = next((piece for piece in self._kept if text.startswith(piece, at)), None)
            form = (piece, len(piece)) if piece else self._forms.longest(text[at:at + 64]) if self._forms else None
            if form is None:
                size = 1 if text[at] < 0x80 else 2 if text[at] < 0xE0 else 3 if text[at] < 0xF0 else 4
                form = text[at:at + size], size
            yield form[0].decode()
            at += form[1]

    def __call__(self, text):
        found, few = [], self._model.few_spaces
        at_space = few
        for part in self._parts(text.encode()):
            part = part.lstrip(" ") if at_space else part
            if part:
                found.append(part)
                at_space = part.endswith(" ")
            at_space = at_space and few
        whole = "".join(found)
        if few:
            whole = whole.rstrip(" ")
        if not whole and (few or not text):
            return ""
        if self._model.leading_space:
            whole = whole + " " if self._model.space_behind else " " + whole
        return whole.replace(" ", SPACE) if self._model.marked_spaces else whole
