"""The examples that see images: what they reach in a short training, and their first losses beside PyTorch's."""

import os
import tempfile
import unittest

import numpy as np
import torch
import torch.nn.functional as F

import examples
import plumb
from plumb import ops


class ImagesTest(unittest.TestCase):
    """One program each."""

    def test_vae(self):
        """The bound falls far below that of a decoder that knows the mean image only, some 206 nats, and digits are drawn."""
        with tempfile.TemporaryDirectory() as folder:
            drawn = os.path.join(folder, "digits.pgm")
            program, reached, recorder = examples.run("vae", "--epochs", 2, "--samples", drawn)
            with open(drawn, "rb") as file:
                self.assertEqual(file.readline(), b"P5 224 224 255\n")
                pixels = np.frombuffer(file.read(), np.uint8)
        self.assertLess(reached, 150)
        self.assertEqual(len(pixels), 224 * 224)
        self.assertTrue(15 < pixels.mean() < 60 and pixels.max() > 200)  # the training digits' mean is 33

        def loss(w, images):
            x = images.flatten(1)
            both = examples.dense(w, "encoder.2", F.relu(examples.dense(w, "encoder.1", x)))
            mean, log_variance = both.chunk(2, 1)
            noise = torch.tensor(ops.standard_normal(tuple(mean.shape)).asnumpy())  # the numbers that the program drew
            hidden = F.relu(examples.dense(w, "decoder.0", mean + torch.exp(0.5 * log_variance) * noise))
            pixels = F.binary_cross_entropy_with_logits(examples.dense(w, "decoder.1", hidden), x, reduction="sum")
            return (pixels - 0.5 * (1 + log_variance - mean ** 2 - torch.exp(log_variance)).sum()) / len(x)

        plumb.set_seed(1)
        rows = examples.batches(program.digits(program.DIGITS, "train"), 8)
        examples.check_losses(recorder, examples.in_torch(recorder, loss, rows, examples.adam(0.002)))

    def test_unet(self):
        """Discs and squares of one brightness are told apart by their outlines."""
        program, quality, recorder = examples.run("unet", "--scenes", 400, "--epochs", 12, "--width", 8)
        self.assertGreater(quality, 0.75)

        def block(w, name, x):
            for part in (0, 1):
                x = examples.same_conv(x, w[f"{name}.{part}.0.weight"])
                x = F.relu(examples.norm(w, f"{name}.{part}.1", x))
            return x

        def loss(w, images, classes):
            top = block(w, "first", images)
            middle = block(w, "down.0", F.max_pool2d(top, 2))
            x = block(w, "down.1", F.max_pool2d(middle, 2))
            for level, beside in enumerate((middle, top)):
                x = F.conv_transpose2d(x, w[f"double.{level}.weight"], stride=2)
                x = block(w, f"up.{level}", torch.cat([beside, x], 1))
            return F.cross_entropy(F.conv2d(x, w["scores.weight"], w["scores.bias"]), classes)

        rows = examples.batches(program.scenes(400, 1, True), 4)
        examples.check_losses(recorder, examples.in_torch(recorder, loss, rows, examples.adam(0.01)), 3e-4)

    def test_mobilenet_v2(self):
        program, accuracy, recorder = examples.run("mobilenet_v2", "--epochs", 1, "--width", 0.25, "--batch", 50, "--take", 100)
        self.assertGreater(accuracy, 0.6)
        names = [name for name in recorder.values if name.endswith(".weight")]

        def layer(w, name, x, stride=1, groups=1):
            return examples.norm(w, name + ".1", examples.same_conv(x, w[name + ".0.weight"], None, stride, groups))

        def loss(w, images, labels):
            x, blocks = F.relu6(layer(w, "blocks.0", images)), 1
            for widened, _, count, stride in program.STAGES:
                for index in range(count):
                    before, name = x, f"blocks.{blocks}.body"
                    parts = sum(each.startswith(name + ".") and each.endswith(".0.weight") for each in names)
                    for part in range(parts):
                        depthwise = part == parts - 2
                        x = layer(w, f"{name}.{part}", x, stride if depthwise and index == 0 else 1, x.shape[1] if depthwise else 1)
                        x = x if part == parts - 1 else F.relu6(x)
                    x = x + before if index or (stride == 1 and x.shape == before.shape) else x
                    blocks += 1
                self.assertEqual(parts, 3 if widened > 1 else 2)
            x = F.relu6(layer(w, f"blocks.{blocks}", x)).mean((2, 3))
            return F.cross_entropy(examples.dense(w, "head", x), labels, label_smoothing=0.1)

        data = program.digits(program.DIGITS, "train", 50).take(100)
        rates = [0.1 * step / 10 for step in range(3)]  # the warm-up takes ten of 100 steps

        def decays(name):
            return 0.0 if "gamma" in name or "beta" in name else 1.0

        expected = examples.in_torch(recorder, loss, examples.batches(data, 3), examples.momentum(rates, 4e-5), decays)
        examples.check_losses(recorder, expected, 1e-3)

    def test_vit(self):
        program, accuracy, recorder = examples.run("vit", "--epochs", 2, "--layers", 2)
        self.assertGreater(accuracy, 0.8)

        def layer_norm(w, name, x):
            return F.layer_norm(x, x.shape[-1:], w[name + ".gamma"], w[name + ".beta"], 1e-5)

        def attended(w, name, x, heads=4):
            rows, length, width = x.shape
            qkv = F.linear(x, w[name + ".in_proj_weight"], w[name + ".in_proj_bias"])
            query, key, value = qkv.view(rows, length, 3, heads, width // heads).permute(2, 0, 3, 1, 4)
            shares = torch.softmax(query @ key.transpose(-2, -1) * (width // heads) ** -0.5, -1)
            return examples.dense(w, name + ".out_proj", (shares @ value).transpose(1, 2).reshape(x.shape))

        def loss(w, images, labels):
            x = F.conv2d(images, w["patches.weight"], w["patches.bias"], stride=7).flatten(2).transpose(1, 2)
            x = torch.cat([w["answer"].expand(len(x), 1, -1), x], 1) + w["places"]
            for number in range(2):
                name = f"layers.{number}."
                x = x + attended(w, name + "self_attn", layer_norm(w, name + "norm1", x))
                hidden = F.gelu(examples.dense(w, name + "linear1", layer_norm(w, name + "norm2", x)))
                x = x + examples.dense(w, name + "linear2", hidden)
            return F.cross_entropy(examples.dense(w, "head", layer_norm(w, "norm", x)[:, 0]), labels)

        def decays(name):
            return 1.0 if name.endswith("weight") else 0.0

        update = examples.adam_weight_decay(program.rates(320), 0.05, beta2=0.99)
        rows = examples.batches(program.digits(program.DIGITS, "train"), 8)
        examples.check_losses(recorder, examples.in_torch(recorder, loss, rows, update, decays), 3e-4)


if __name__ == "__main__":
    unittest.main()
