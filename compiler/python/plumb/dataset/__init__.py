"""Datasets and the operations on them."""

from plumb.common._offers import not_offered
from plumb.dataset import config, text, transforms, vision
from plumb.dataset._dataset import Dataset, DatasetCache, DictIterator, TupleIterator
from plumb.dataset._dataset import zip_datasets as zip  # pylint: disable=redefined-builtin
from plumb.dataset._batched import BatchInfo
from plumb.dataset._kinds import (AudioBaseDataset, BatchDataset, ConcatDataset, FilterDataset, MapDataset, MappableDataset,
                                  PaddedBatchDataset, ProjectDataset, RenameDataset, RepeatDataset, ShuffleDataset, SkipDataset,
                                  SourceDataset, SyncWaitDataset, TakeDataset, TextBaseDataset, UnionBaseDataset,
                                  VisionBaseDataset, ZipDataset)
from plumb.dataset.audio_sets import (CMUArcticDataset, GTZANDataset, LibriTTSDataset, LJSpeechDataset, SpeechCommandsDataset,
                                      TedliumDataset, YesNoDataset)
from plumb.dataset.callbacks import DSCallback, WaitedDSCallback
from plumb.dataset.class_sets import (Caltech101Dataset, Caltech256Dataset, Flowers102Dataset, LFWDataset, LSUNDataset, OmniglotDataset,
                                      PhotoTourDataset, Places365Dataset, RenderedSST2Dataset, SUN397Dataset, SVHNDataset, USPSDataset)
from plumb.dataset.datasets import NumpySlicesDataset
from plumb.dataset.files import Cifar10Dataset, Cifar100Dataset, CSVDataset, ImageFolderDataset, Shuffle, TextFileDataset
from plumb.dataset.generator import GeneratorDataset, PaddedDataset
from plumb.dataset.graph_data import GraphData
from plumb.dataset.graphs import Graph, InMemoryGraphDataset, OutputFormat, SamplingStrategy
from plumb.dataset.idx_sets import EMnistDataset, FashionMnistDataset, KMnistDataset, MnistDataset, QMnistDataset
from plumb.dataset.image_sets import (CelebADataset, CocoDataset, FakeImageDataset, Food101Dataset, ManifestDataset, SemeionDataset,
                                      STL10Dataset, VOCDataset)
from plumb.dataset.language_sets import CLUEDataset, IWSLT2016Dataset, IWSLT2017Dataset
from plumb.dataset.mindrecord import MindDataset
from plumb.dataset.samplers import (DistributedSampler, IterSampler, PKSampler, RandomSampler, Sampler, SequentialSampler,
                                    SubsetRandomSampler, SubsetSampler, WeightedRandomSampler)
from plumb.dataset.scene_sets import (CityscapesDataset, DIV2KDataset, FlickrDataset, KITTIDataset, SBDataset, SBUDataset,
                                      WIDERFaceDataset)
from plumb.dataset.schema import RandomDataset, Schema
from plumb.dataset.serialization import compare, deserialize, serialize, show
from plumb.dataset.text_sets import (AGNewsDataset, AmazonReviewDataset, CoNLL2000Dataset, DBpediaDataset, EnWik9Dataset, IMDBDataset,
                                     Multi30kDataset, PennTreebankDataset, SogouNewsDataset, SQuADDataset, SST2Dataset,
                                     UDPOSDataset, WikiTextDataset, YahooAnswersDataset, YelpReviewDataset)
from plumb.dataset.tfrecord import TFRecordDataset
from plumb.dataset.utils import LineReader


def sync_wait_for_dataset(rank_id, rank_size, current_epoch):
    """Returns at once: it waits for the data of other devices, and a program runs on one."""
    del rank_id, rank_size, current_epoch


__getattr__ = not_offered(__name__, "audio", "debug", "utils", instead={
    "ArgoverseDataset": "read its tables in a class of one's own of dataset.InMemoryGraphDataset",
    "OBSMindDataset": "it reads a cloud's storage: copy the files, and use dataset.MindDataset",
})
