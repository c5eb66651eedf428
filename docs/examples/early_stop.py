"""Training that knows when to stop, and how to go on: `tools/python docs/examples/early_stop.py --folder run`.

After each epoch the network is judged on digits that it does not learn from. When it has not become better for three epochs
the run ends, with the weights of the best one. A checkpoint is written after each epoch; with `--resume` the same command
goes on from the newest one, bit for bit as if nothing had happened.
"""

import argparse
import glob
import os

import plumb
from plumb import dataset, nn, train
from plumb.dataset import transforms, vision

DIGITS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "test", "data", "mnist")


def digits(folder, usage, count, size=50):
    """The data pipeline: the first `count` images, those of training in a new order each epoch."""
    data = dataset.MnistDataset(folder, usage=usage, shuffle=False).take(count)
    data = data.map(transforms.TypeCast(plumb.int32), "label")
    data = data.map([vision.Rescale(1 / 255, 0.0), vision.HWC2CHW()], "image")
    return (data.shuffle(count) if usage == "train" else data).batch(size, drop_remainder=True)


def make_model():
    """A fresh network with its loss and optimizer. Dropout draws on the device, so its state is part of a checkpoint."""
    plumb.set_seed(1)
    network = nn.SequentialCell(nn.Flatten(), nn.Dense(784, 256, "he_uniform", activation="relu"), nn.Dropout(p=0.2),
                                nn.Dense(256, 10, "xavier_uniform"))
    return train.Model(network, nn.CrossEntropyLoss(), nn.Adam(network.trainable_params(), learning_rate=0.002),
                       metrics={"accuracy", "loss"})


def resume(model, folder):
    """Loads the newest checkpoint, if there is one; returns the number of epochs that are done."""
    files = sorted(glob.glob(os.path.join(folder, "digits-*.ckpt")), key=os.path.getmtime)
    if not files:
        return 0
    saved = plumb.load_checkpoint(files[-1], model.train_network)
    print(f"going on from {files[-1]}")
    return int(saved["epoch_num"].asnumpy())


def main(arguments=None):
    """Trains until it stops; returns the model and the history of this run."""
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--epochs", type=int, default=50, help="epochs at most")
    parser.add_argument("--patience", type=int, default=3, help="epochs without improvement")
    parser.add_argument("--images", type=int, default=2000, help="training digits: with few the network soon learns them by heart")
    parser.add_argument("--folder", default="checkpoints", help="where checkpoints are written")
    parser.add_argument("--resume", action="store_true", help="go on from the newest checkpoint")
    parser.add_argument("--data", default=DIGITS, help="folder with MNIST's IDX files, plain or gzip")
    options = parser.parse_args(arguments)
    model = make_model()
    done = resume(model, options.folder) if options.resume else 0
    training, judging = digits(options.data, "train", options.images), digits(options.data, "test", 1000)
    keeper = train.CheckpointConfig(save_checkpoint_steps=training.get_dataset_size(), keep_checkpoint_max=2,
                                    append_info=["epoch_num"])
    watch = train.EarlyStopping("eval_loss", patience=options.patience, restore_best_weights=True, verbose=True)
    history = train.History()
    callbacks = [train.LossMonitor(), train.ModelCheckpoint("digits", options.folder, keeper), watch, history]
    model.fit(options.epochs, training, judging, callbacks=callbacks, dataset_sink_mode=True, valid_dataset_sink_mode=True,
              initial_epoch=done)
    print(f"epochs {history.epoch['epoch']} in this run; at the end {model.eval(digits(options.data, 'test', 1000))}")
    return model, history


if __name__ == "__main__":
    main()
