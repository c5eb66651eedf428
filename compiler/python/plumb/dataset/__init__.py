"""Datasets and the operations on them."""

from plumb.common._offers import not_offered
from plumb.dataset import config, transforms, vision
from plumb.dataset.datasets import Dataset, DatasetCache, MnistDataset, NumpySlicesDataset

__getattr__ = not_offered(__name__)
