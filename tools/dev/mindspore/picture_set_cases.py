"""Cases of further public data sets of images, and small files of the form of each; as cases.py says."""

import json
import os
import struct

import numpy as np

from set_cases import Folder, made, whole
from dataset_files import KITTI_FIELDS, Sparse, mat, usps  # set_cases knows where it is

DATASETS = {f"{name}Dataset": texts for name, texts in {
    "Flowers102": made("Flowers102", "", "decode=True", "'Segmentation', 'valid', decode=True", "usage='train'"),
    "SVHN": made("SVHN", "", "'train'", "'test', 1", "'extra'"),
    "Caltech101": made("Caltech101", "", "'annotation'", "'all', decode=True"), "Caltech256": made("Caltech256", "", "2, decode=True"),
    "Omniglot": made("Omniglot", "", "False, decode=True"),
    "LFW": made("LFW", "'people', '10fold', 'original'", "'people', 'all', 'original', decode=True", "'pairs', 'train', 'original'",
                "'pairs', 'test', 'original', decode=True", "image_set='original'"),
    "Places365": made("Places365", "", "'val', False, True"), "SUN397": whole("SUN397", "", "decode=True"),
    "RenderedSST2": made("RenderedSST2", "'train'", "'val', decode=True", "'test'", ""),
    "LSUN": made("LSUN", "", "'train', ['kitchen']", "'valid', decode=True", "'all', ['bedroom', 'kitchen']", "'test'"),
    "PhotoTour": made("PhotoTour", "'liberty'", "'liberty', 'test'"), "USPS": made("USPS", "'train'", "'test', 1") + whole("USPS", "'all'"),
    "KITTI": made("KITTI", "", "'train', decode=True", "'test'"), "WIDERFace": made("WIDERFace", "", "'train', decode=True", "'valid'", "'test'"),
    "DIV2K": made("DIV2K", "'valid'", "'valid', 'mild', 4, decode=True", "'valid', 'bicubic', 8"),
    "Flickr": [f"ds.FlickrDataset(folder + '/sets/Flickr/images', folder + '/sets/Flickr/tokens', {more}shuffle=False)" for more in ("", "decode=True, ")],
    "SBU": made("SBU", "", "decode=True"),
    "Cityscapes": made("Cityscapes", "", "'train', 'coarse', 'polygon'", "'train_extra', 'coarse', decode=True"),
    "SB": made("SB", "", "'Segmentation', 'val', decode=True", "'Boundaries', 'train_noval'"),
}.items()}


# -- sets


def _write_mats(to):
    """Images and numbers in MAT-files."""
    for number in range(1, 4):
        to.picture(f"Flowers102/jpg/image_0000{number}.jpg")
        to.picture(f"Flowers102/segmim/segmim_0000{number}.jpg")
    to.write("Flowers102/imagelabels.mat", mat(labels=np.array([[102, 1, 7]], np.uint8)))
    to.write("Flowers102/setid.mat", mat(**{name: np.array([[number]], np.uint16) for name, number in (("trnid", 3), ("valid", 1), ("tstid", 2))}))
    for part in ("train", "test", "extra"):
        to.write(f"SVHN/{part}_32x32.mat", mat(X=to.rng.integers(0, 256, (32, 32, 3, 3)).astype(np.uint8), y=np.array([[10], [1], [5]], np.uint8)))
    for name, other in (("ant", "ant"), ("Faces", "Faces_2")):
        to.picture(f"Caltech101/101_ObjectCategories/{name}/image_0001.jpg")
        to.write(f"Caltech101/Annotations/{other}/annotation_0001.mat", mat(box_coord=np.ones((1, 4), np.uint16), obj_contour=to.rng.random((2, 5))))
    to.picture("Caltech101/101_ObjectCategories/BACKGROUND_Google/image_0001.jpg")
    for name, part in (("a", "train"), ("b", "val"), ("c", "train_noval")):
        lines = [Sparse(to.rng.integers(0, 2, (4, 5))) for _ in range(20)]
        to.picture(f"SB/img/{name}.jpg")
        to.write(f"SB/cls/{name}.mat", mat(GTcls={"Boundaries": lines, "Segmentation": to.rng.integers(0, 21, (4, 5)).astype(np.uint8)}))
        to.write(f"SB/{part}.txt", name + "\n")


def _write_classes(to):
    """Images in folders of classes, and lists of them."""
    for name in ("001.ak47/001_0001", "001.ak47/001_0002", "002.flag/002_0001"):
        to.picture(f"Caltech256/{name}.jpg")
    for part in ("background", "evaluation"):
        for name in ("Zulu/character02", "Zulu/character01", "Alpha/character01"):
            to.picture(f"Omniglot/images_{part}/{name}/01.png")
    for name in ("A_B", "C_D"):
        for number in (1, 2):
            to.picture(f"LFW/lfw/{name}/{name}_000{number}.jpg")
    contents = {"lfw-names": "A_B\t2\nC_D\t2\n", "people": "1\n1\nC_D\t2\n", "peopleDevTrain": "1\nA_B\t2\n", "peopleDevTest": "1\nC_D\t2\n",
                "pairs": "1\t1\nA_B\t1\t2\nA_B\t1\tC_D\t2\n", "pairsDevTrain": "1\nA_B\t1\t2\nA_B\t1\tC_D\t2\n", "pairsDevTest": "1\nC_D\t2\t1\nC_D\t2\tA_B\t1\n"}
    for name, content in contents.items():
        to.write(f"LFW/{name}.txt", content)
    for name in ("data_large_standard/b/bar/1", "data_large_standard/a/air/2", "data_256_standard/b/bar/1", "data_256_standard/a/air/2", "val_large/v", "val_256/v"):
        to.picture(f"Places365/{name}.jpg")
    to.write("Places365/places365_train_standard.txt", "/b/bar/1.jpg 2\n/a/air/2.jpg 0\n")
    to.write("Places365/places365_val.txt", "v.jpg 7\n")
    to.write("Places365/categories_places365.txt", "/a/air 0\n/b/bath 1\n/b/bar 2\n")
    to.write("SUN397/ClassName.txt", "/z/zoo/outdoor\n/a/abbey\n")
    for name in ("z/zoo/outdoor/sun_b", "a/abbey/sun_c", "a/abbey/sun_b"):
        to.picture(f"SUN397/{name}.jpg")
    for part in ("train", "valid", "test"):
        for name in ("negative", "positive"):
            to.picture(f"RenderedSST2/{part}/{name}/0001.png")
    for name in ("kitchen_train", "kitchen_val", "bedroom_train", "bedroom_val"):
        to.picture(f"LSUN/{name}/1.jpg")
    to.picture("LSUN/test/1.jpg")


def _write_numbers(to):
    """Patches of a grey bitmap, and lines of pixels."""
    head = struct.pack("<2sIIIIiiHHIIiiII", b"BM", 1078 + 1024 * 1024, 0, 1078, 40, 1024, 1024, 1, 8, 0, 1024 * 1024, 0, 0, 256, 0)
    palette = b"".join(bytes([grey, grey, grey, 0]) for grey in range(256))
    to.write("PhotoTour/liberty/patches0000.bmp", head + palette + to.rng.integers(0, 256, (1024, 1024)).astype(np.uint8).tobytes())
    to.write("PhotoTour/liberty/info.txt", "0 0\n" * 20)
    to.write("PhotoTour/liberty/m50_100000_100000_0.txt", "0 5 0 17 5 0 0\n1 5 0 2 6 0 0\n")
    for name in ("usps", "usps.t"):
        to.write(f"USPS/{name}", usps((10, 1, 4), to.rng.uniform(-1, 1, (3, 256)).round(4)))


def _write_boxes(to):
    """Images with boxes."""
    for name in ("training/image_2/000000", "training/image_2/000001", "testing/image_2/000000"):
        to.picture(f"KITTI/data_object_image_2/{name}.png")
    for number, first in enumerate(("Van", "Car")):
        to.write(f"KITTI/data_object_label_2/training/label_2/00000{number}.txt", first + KITTI_FIELDS + "DontCare -1 -1 -10" + " 1" * 11 + "\n")
    for part in ("train", "val", "test"):
        for number in range(2):
            to.picture(f"WIDERFace/WIDER_{part}/images/0--P/{number}.jpg")
    lists = "WIDERFace/wider_face_split/wider_face_{}.txt"
    to.write(lists.format("train_bbx_gt"), "0--P/1.jpg\n2\n1 2 3 4 2 0 1 0 2 1 \n5 6 7 8 0 1 0 1 0 0 \n0--P/0.jpg\n0\n0 0 0 0 0 0 0 0 0 0 \n")
    to.write(lists.format("val_bbx_gt"), "0--P/1.jpg\n2\n9 8 7 6 1 1 0 1 2 0 \n2 3 4 5 0 0 1 0 1 1 \n0--P/0.jpg\n0\n0 0 0 0 0 0 0 0 0 0 \n")
    to.write(lists.format("test_filelist"), "0--P/0.jpg\n0--P/1.jpg\n")


def _write_pairs(to):
    """Images with others, or with texts."""
    for number in (1, 2):
        to.picture(f"DIV2K/DIV2K_valid_HR/080{number}.png")
        for folder, end in (("bicubic/X2", "x2"), ("x8", "x8"), ("mild", "x4m")):
            to.picture(f"DIV2K/DIV2K_valid_LR_{folder}/080{number}{end}.png")
        to.picture(f"Flickr/images/{number}.jpg")
    to.write("Flickr/tokens", "1.jpg#0\tA\n2.jpg#0\tB #1\n2.jpg#1\tC\n")
    to.picture("SBU/sbu_images/m_33_7_x.jpg")
    to.write("SBU/SBU_captioned_photo_dataset_urls.txt", "http://static.flickr.com/33/8.jpg\nhttp://static.flickr.com/33/7_x.jpg\n")
    to.write("SBU/SBU_captioned_photo_dataset_captions.txt", "none\n a dog .  \n")
    for part, truth in (("train", "gtFine"), ("train", "gtCoarse"), ("train_extra", "gtCoarse")):
        for city in ("bonn", "aachen"):
            to.picture(f"Cityscapes/leftImg8bit/{part}/{city}/{city}_0_leftImg8bit.png")
            for what in ("instanceIds", "labelIds", "color"):
                to.picture(f"Cityscapes/{truth}/{part}/{city}/{city}_0_{truth}_{what}.png")
            to.write(f"Cityscapes/{truth}/{part}/{city}/{city}_0_{truth}_polygons.json", json.dumps({"b": [1.5, None], "a": city}, indent=2))


def write_files(folder, png):
    """Writes all files below `folder`/sets; `png` makes the bytes of a picture's file."""
    to = Folder(os.path.join(folder, "sets"), png)
    for part in (_write_mats, _write_classes, _write_numbers, _write_boxes, _write_pairs):
        part(to)
