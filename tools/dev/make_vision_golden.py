#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes what MindSpore's image operations make of two pseudo-random images: test/data/vision/golden.txt.

Needs MindSpore 2.0.0 (`tools/dev/install_peers FOLDER mindspore`), which nothing else here does. Each line is one result:
EXPRESSION, the number of the result, its shape, its element type, its bytes in hexadecimal, between tabs.
"""

import os

import mindspore.dataset.vision as vision
import numpy as np

OUT = os.path.join(os.path.dirname(__file__), "../../test/data/vision/golden.txt")
EXPRESSIONS = """
    Affine(15, (0.1, -0.2), 1.2, (10.0, 5.0)) Affine(100, (0.0, 0.0), 0.7, 20.0, Inter.BILINEAR, (10, 20, 30))
    Affine(33, (0.1, 0.1), 1.0, (0.0, 0.0), Inter.BICUBIC)
    Rotate(30) Rotate(30, expand=True) Rotate(-75, Inter.BILINEAR) Rotate(30, Inter.BILINEAR, True, None, 99) Rotate(45, center=(2, 3))
    Perspective([[0, 0], [8, 0], [8, 6], [0, 6]], [[1, 1], [7, 0], [8, 5], [0, 6]])
    Perspective([[0, 0], [8, 0], [8, 6], [0, 6]], [[1, 1], [7, 0], [8, 5], [0, 6]], Inter.NEAREST)
    AutoContrast() AutoContrast(10.0) AutoContrast(5.0, [0, 255]) Equalize() Posterize(3) Posterize(8) Posterize(0)
    Solarize((50, 150)) Solarize(100) AdjustBrightness(1.5) AdjustBrightness(0.3) AdjustContrast(1.5) AdjustContrast(0.2)
    AdjustSaturation(1.5) AdjustSaturation(0.0) AdjustHue(0.2) AdjustHue(-0.45) AdjustGamma(0.7) AdjustGamma(2.2, 1.3)
    AdjustSharpness(2.0) AdjustSharpness(0.0) GaussianBlur(3) GaussianBlur((5, 7), (1.5, 0.8)) ConvertColor(ConvertMode.COLOR_RGB2GRAY)
    ConvertColor(ConvertMode.COLOR_BGR2GRAY) ConvertColor(ConvertMode.COLOR_RGB2BGRA) PadToSize(20) PadToSize((20, 30), (1, 2), 7)
    ResizedCrop(1, 2, 4, 5, (3, 3)) ResizedCrop(0, 1, 6, 8, (7, 5), Inter.NEAREST) Erase(1, 2, 3, 4, (1, 2, 3)) SlicePatches(2, 3)
    SlicePatches(2, 3, SliceMode.DROP) Resize(5) Resize(20)
    Resize((3, 4), Inter.AREA) Resize((2, 2), Inter.AREA) Resize((4, 3), Inter.AREA) Resize((13, 9), Inter.AREA) Resize((5, 17), Inter.AREA)
"""


def expressions():
    """The expressions, one by one: calls end where their parentheses do."""
    found, depth = "", 0
    for letter in EXPRESSIONS:
        depth += (letter == "(") - (letter == ")")
        found += letter if letter.strip() or depth else ""
        if letter == ")" and depth == 0:
            yield found
            found = ""


def image(number):
    """An image of noise, and a smooth one."""
    rows, columns = np.meshgrid(np.arange(11), np.arange(9), indexing="ij")
    noise = np.random.RandomState(20).randint(0, 256, (11, 9, 3), dtype=np.uint8)
    smooth = np.stack([rows * 20, columns * 25, (rows + columns) * 12], axis=2).astype(np.uint8)
    return (noise, smooth)[number]


def main():
    """Writes the file."""
    os.makedirs(os.path.dirname(OUT), exist_ok=True)
    with open(OUT, "w", encoding="ascii") as file:
        for expression in expressions():
            for number in range(2):
                results = eval(expression, vars(vision))(image(number))  # pylint: disable=eval-used
                for result in map(np.asarray, results if isinstance(results, tuple) else (results,)):
                    shape = " ".join(map(str, result.shape))
                    file.write(f"{expression}\t{number}\t{shape}\t{result.dtype}\t{result.tobytes().hex()}\n")


if __name__ == "__main__":
    main()
