"""LeNet-5 in MindSpore's spelling: `tools/python -m plumb.mindspore docs/examples/mindspore_lenet.py`.

Nothing here names Plumb. Losses are printed once per sink of 250 steps; the accuracy comes from `Model.eval`.
"""

import os

import mindspore as ms
import mindspore.dataset as ds
import mindspore.dataset.transforms as transforms
import mindspore.dataset.vision as vision
from mindspore import nn, ops, train
from mindspore.common.initializer import Normal

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "test", "data", "mnist")


class LeNet5(nn.Cell):
    """Two convolutions and three dense layers."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, pad_mode="valid", weight_init=Normal(0.1))
        self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid", weight_init=Normal(0.1))
        self.fc1 = nn.Dense(400, 120)
        self.fc2 = nn.Dense(120, 84)
        self.fc3 = nn.Dense(84, 10)
        self.max_pool2d = nn.MaxPool2d(kernel_size=2, stride=2)

    def construct(self, x):
        """The computation."""
        x = self.max_pool2d(ops.relu(self.conv1(x)))
        x = self.max_pool2d(ops.relu(self.conv2(x)))
        x = ops.reshape(x, (x.shape[0], -1))
        x = ops.relu(self.fc1(x))
        x = ops.relu(self.fc2(x))
        return self.fc3(x)


def create_dataset(usage, batch_size):
    """Returns the data pipeline."""
    data = ds.MnistDataset(FOLDER, usage=usage)
    data = data.map(operations=transforms.TypeCast(ms.int32), input_columns="label")
    data = data.map(operations=[vision.Resize((32, 32)), vision.Rescale(1.0 / 255.0, 0.0), vision.HWC2CHW()],
                    input_columns="image")
    return data.batch(batch_size, drop_remainder=True)


if __name__ == "__main__":
    ms.set_context(mode=ms.GRAPH_MODE)
    ms.set_seed(1)
    net = LeNet5()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    optimizer = nn.Momentum(net.trainable_params(), learning_rate=0.02, momentum=0.9)
    model = train.Model(net, loss, optimizer, metrics={"Accuracy": train.Accuracy()})
    model.train(8, create_dataset("train", 32), callbacks=[train.LossMonitor(), train.TimeMonitor()],
                dataset_sink_mode=True, sink_size=250)
    print(model.eval(create_dataset("test", 16), dataset_sink_mode=True))
