#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes what MindSpore's image operations make of pseudo-random images: test/data/transforms/golden.txt.

Needs MindSpore 2.0.0 (Python 3.9; `pip install mindspore==2.0.0 "numpy<1.25" "pillow<10"`), which nothing else here does.

Each line of the file is one case: `OPERATION H W C h w INPUT OUTPUT`. Images are hexadecimal bytes, results of `chain`
(Resize, two Rescales, HWC2CHW: LeNet's pipeline) and `normalize` little-endian f32.
"""

import os

import mindspore.dataset.vision as vision
import numpy as np
from mindspore.dataset.vision import Inter

OUT = os.path.join(os.path.dirname(__file__), "../../test/data/transforms/golden.txt")
# from height, from width, channels, to height, to width: larger, smaller, mixed, exactly half, one row or column
SIZES = [(28, 28, 1, 32, 32), (28, 28, 1, 14, 14), (28, 28, 1, 20, 37), (7, 5, 3, 12, 11), (12, 11, 3, 7, 5),
         (10, 8, 3, 5, 4), (6, 6, 4, 3, 3), (1, 9, 1, 4, 4), (9, 1, 1, 4, 4), (5, 5, 1, 5, 9), (3, 4, 1, 16, 17), (2, 2, 1, 1, 1)]


def images(random, height, width, channels):
    """Noise, and black and white in which rounding shows."""
    noise = random.randint(0, 256, (height, width, channels), dtype=np.uint8)
    return [noise, np.where(noise > 127, 255, 0).astype(np.uint8)]


def main():
    random = np.random.RandomState(20)
    os.makedirs(os.path.dirname(OUT), exist_ok=True)
    with open(OUT, "w", encoding="ascii") as file:

        def case(name, image, height, width, result):
            sizes = " ".join(str(size) for size in (*image.shape, height, width))
            file.write(f"{name} {sizes} {image.tobytes().hex()} {result.tobytes().hex()}\n")

        for h, w, c, to_h, to_w in SIZES:
            for image in images(random, h, w, c):
                case("bilinear", image, to_h, to_w, vision.Resize((to_h, to_w), Inter.LINEAR)(image))
                case("nearest", image, to_h, to_w, vision.Resize((to_h, to_w), Inter.NEAREST)(image))
        digit = images(random, 28, 28, 1)[0]
        result = vision.Resize((32, 32), Inter.LINEAR)(digit).reshape(32, 32, 1)
        result = vision.Rescale(1.0 / 255.0, 0.0)(result)
        result = vision.Rescale(1 / 0.3081, -1 * 0.1307 / 0.3081)(result)
        case("chain", digit, 32, 32, vision.HWC2CHW()(result))
        colours = images(random, 9, 7, 3)[0]
        case("normalize", colours, 9, 7, vision.Normalize([121.5, 110.25, 100.1], [70.3, 68.1, 71.9])(colours))


if __name__ == "__main__":
    main()
