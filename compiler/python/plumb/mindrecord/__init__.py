"""MindRecord: files of rows that `plumb.dataset.MindDataset` reads, their writer, their reader, and converters to them."""

from plumb.common._offers import not_offered
from plumb.mindrecord.converters import Cifar10ToMR, Cifar100ToMR, CsvToMR, ImageNetToMR, MnistToMR, TFRecordToMR
from plumb.mindrecord.filereader import FileReader
from plumb.mindrecord.filewriter import FAILED, SUCCESS, FileWriter, MSRStatus
from plumb.mindrecord.mindpage import MindPage

__all__ = ["FileWriter", "FileReader", "MindPage", "Cifar10ToMR", "Cifar100ToMR", "CsvToMR", "ImageNetToMR", "MnistToMR",
           "TFRecordToMR", "SUCCESS", "FAILED"]
__getattr__ = not_offered(__name__)
