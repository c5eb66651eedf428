"""Folders with files of public data sets that tests write, and the rows that are read from them."""

import io
import pathlib
import tempfile
import unittest
import wave

import numpy as np
from PIL import Image

from dataset_files import Files

RNG = np.random.default_rng(21)


class Folder(Files, unittest.TestCase):
    """Each test has a folder of its own."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def picture(self, name, kind="PNG"):
        """Writes a random picture; returns it."""
        return self.drawn(name, RNG.integers(0, 256, (20, 24, 3)).astype(np.uint8), kind)

    def drawn(self, name, pixels, kind="PNG"):
        """Writes a picture of the pixels; returns them."""
        file = io.BytesIO()
        Image.fromarray(pixels).save(file, kind)
        self.write(name, file.getvalue())
        return pixels

    def rows(self, data):
        """All rows as lists of arrays."""
        return list(data.create_tuple_iterator(num_epochs=1, output_numpy=True))

    def plain(self, data):
        """All rows as lists."""
        return [[value.tolist() for value in row] for row in self.rows(data)]

    def wav(self, name, samples, rate=16000, channels=1, width=2):
        """Writes a WAV file of integers."""
        file = io.BytesIO()
        with wave.open(file, "wb") as sound:
            sound.setnchannels(channels)
            sound.setsampwidth(width)
            sound.setframerate(rate)
            sound.writeframes(np.asarray(samples, f"<i{width}").tobytes())
        self.write(name, file.getvalue())
