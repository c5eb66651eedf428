"""The shared workloads: which program, which batch, and how many multiply-adds a step of it takes."""


def resnet_macs(blocks):
    """Multiply-adds per image of each layer of a residual network with `blocks` blocks per stage, 3x32x32 input."""
    layers, inputs, side = [27 * 16 * 32 * 32], 16, 32
    for outputs in (16, 32, 64):
        for block in range(blocks):
            if block == 0 and outputs != 16:
                side //= 2
                layers.append(inputs * outputs * side * side)
            layers += [9 * inputs * outputs * side * side, 9 * outputs * outputs * side * side]
            inputs = outputs
    return layers + [64 * 10]


def transformer_macs(layers=2, width=128, length=64):
    """Multiply-adds per sequence: query, key and value; scores; mixing; projection; the two of the feed-forward part."""
    attention = [length * width * 3 * width, length * length * width, length * length * width, length * width * width]
    return (attention + [length * width * 4 * width] * 2) * layers


class Workload:
    """A program of docs/examples, its batch, and the multiply-adds of its layers per row.

    The first layer's input needs no gradient unless `input_gradient`. `convolutions`: channels-last layouts matter to peers.
    """

    def __init__(self, program, batch, macs, arguments=(), input_gradient=False, convolutions=False):
        self.program, self.batch, self.arguments, self.convolutions = program, batch, arguments, convolutions
        unneeded = 0 if input_gradient else macs[0]
        self.flops = 2 * (3 * sum(macs) - unneeded) * batch

    def limit(self, peak_gflops):
        """Steps per second that the arithmetic allows."""
        return peak_gflops * 1e9 / self.flops

    def steps(self, peak_gflops, seconds=1.0):
        """About so many seconds' worth of steps at half of the limit."""
        return max(3, int(0.5 * seconds * self.limit(peak_gflops)))


WORKLOADS = {
    "lenet": Workload("lenet.py", 32, [25 * 6 * 784, 150 * 16 * 100, 400 * 120, 120 * 84, 84 * 10], convolutions=True),
    "mlp": Workload("mlp.py", 128, [784 * 512, 512 * 512, 512 * 10]),
    "resnet8": Workload("resnet.py", 128, resnet_macs(1), ("--depth", "8", "--batches", "1"), convolutions=True),
    "resnet20": Workload("resnet.py", 128, resnet_macs(3), ("--depth", "20", "--batches", "1"), convolutions=True),
    "transformer": Workload("transformer.py", 16, transformer_macs(), ("--batches", "1"), input_gradient=True),
}
