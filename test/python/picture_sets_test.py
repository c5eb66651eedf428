"""Public data sets of images beside what was written into their files; rows are those that MindSpore 2.0.0 gives."""

import json
import unittest

import numpy as np

from plumb import dataset
from plumb.dataset._mat import read_mat
from dataset_files import KITTI_FIELDS, Sparse, mat, usps
from folders import Folder, RNG

KINDS = ("f8", "i1", "u1", "i2", "u2", "i4", "u4", "f4")


class MatTest(Folder):
    """MAT-files."""

    def test_kinds(self):
        arrays = {f"v{kind}": RNG.integers(0, 100, (2, 3, 2)).astype(kind) for kind in KINDS}
        full = np.array([[0, 5, 0], [7, 0, 0]], np.uint8)
        for compressed in (False, True):
            self.write("a.mat", mat(compressed, **arrays, s="text", c=[full, Sparse(full)], d={"one": full, "two": [Sparse(full)]}))
            found = read_mat(str(self.folder / "a.mat"))
            for name, array in arrays.items():
                self.assertEqual(found[name].dtype, array.dtype)
                np.testing.assert_array_equal(found[name], array)
            self.assertEqual(found["s"], "text")
            for one in (*found["c"][:, 0], found["d"]["one"], found["d"]["two"][0, 0]):
                np.testing.assert_array_equal(one, full)

    def test_hostile_files(self):
        whole = mat(a=np.arange(6, dtype=np.uint8).reshape(2, 3), b={"one": [Sparse(np.ones((2, 2), np.uint8))]})
        path = str(self.folder / "a.mat")
        for length in range(0, len(whole), 3):
            self.write("a.mat", whole[:length])
            try:
                read_mat(path, "a")
            except ValueError as problem:
                self.assertIn(path, str(problem))
        broken = 0
        for position in range(126, len(whole)):
            for value in (0, 255):
                self.write("a.mat", whole[:position] + bytes([value]) + whole[position + 1:])
                try:
                    read_mat(path)
                except ValueError as problem:
                    broken += 1
                    self.assertIn(path, str(problem))
        self.assertGreater(broken, 100)
        nested = np.zeros((1, 1), np.uint8)
        for _ in range(40):
            nested = [nested]
        for content, message in ((mat(deep=nested), "nested too deeply"), (b"\x89HDF".ljust(200), "7.3"), (b"no" * 100, "head")):
            self.write("a.mat", content)
            with self.assertRaisesRegex(ValueError, f"a.mat.*{message}"):
                read_mat(path)
        self.write("a.mat", mat(x=nested[0][0][0][0:0]))
        with self.assertRaisesRegex(ValueError, "no variable 'y', but x"):
            read_mat(path, "y")


class ClassesTest(Folder):
    """Sets of images with classes."""

    def labels(self, data):
        """The second column of all rows."""
        return [int(row[1]) for row in self.rows(data)]

    def test_flowers(self):
        pictures = [self.picture(f"jpg/image_0000{i}.jpg", "JPEG") for i in range(1, 4)]
        for i in range(1, 4):
            self.picture(f"segmim/segmim_0000{i}.jpg", "JPEG")
        self.write("imagelabels.mat", mat(labels=np.array([[102, 1, 7]], np.uint8)))
        self.write("setid.mat", mat(trnid=np.array([[3]], np.uint16), valid=np.array([[1]], np.uint16), tstid=np.array([[2]], np.uint16)))
        data = dataset.Flowers102Dataset(str(self.folder), shuffle=False)
        self.assertEqual(self.labels(data), [6, 0, 101])
        self.assertEqual((data.get_class_indexing()["pink primrose"], len(data.get_class_indexing())), (0, 102))
        image, mask, label = self.rows(dataset.Flowers102Dataset(str(self.folder), "Segmentation", "valid", decode=True))[0]
        self.assertEqual((image.shape, mask.shape, label.dtype, int(label)), (pictures[0].shape,) * 2 + (np.uint32, 101))
        self.write("setid.mat", mat(trnid=np.array([[4]], np.uint16), valid=np.array([[1]], np.uint16), tstid=np.array([[2]], np.uint16)))
        with self.assertRaisesRegex(ValueError, r"setid.mat' names the image 4"):
            dataset.Flowers102Dataset(str(self.folder))

    def test_house_numbers(self):
        images = RNG.integers(0, 256, (32, 32, 3, 2)).astype(np.uint8)
        for part in ("train", "test", "extra"):
            self.write(f"{part}_32x32.mat", mat(X=images, y=np.array([[10], [1]], np.uint8), compressed=True))
        rows = self.rows(dataset.SVHNDataset(str(self.folder), "test", shuffle=False))
        self.assertEqual([int(row[1]) for row in rows], [0, 1])
        np.testing.assert_array_equal(rows[1][0], images[..., 1])
        self.assertEqual(dataset.SVHNDataset(str(self.folder)).get_dataset_size(), 6)
        self.write("test_32x32.mat", mat(X=images, y="no"))
        with self.assertRaisesRegex(ValueError, "test_32x32.mat': 'y' should be numbers"):
            dataset.SVHNDataset(str(self.folder), "test")
        self.write("train_32x32.mat", mat(X=images, y=np.array([[10]], np.uint8)))
        with self.assertRaisesRegex(ValueError, "train_32x32.mat': X is uint8 of the shape"):
            dataset.SVHNDataset(str(self.folder), "train")

    def test_caltech(self):
        outline = RNG.random((2, 5))
        for name, other in (("ant", "ant"), ("Faces", "Faces_2")):
            picture = self.picture(f"101_ObjectCategories/{name}/image_0001.jpg", "JPEG")
            self.write(f"Annotations/{other}/annotation_0001.mat", mat(box_coord=np.zeros((1, 4), np.uint16), obj_contour=outline))
        self.picture("101_ObjectCategories/BACKGROUND_Google/image_0001.jpg", "JPEG")
        data = dataset.Caltech101Dataset(str(self.folder), "all", shuffle=False, decode=True)
        image, category, annotation = self.rows(data)[1]
        self.assertEqual((image.shape, category.dtype, int(category)), (picture.shape, np.int64, 1))
        np.testing.assert_array_equal(annotation, outline)
        self.assertEqual(data.get_class_indexing(), {"Faces": 0, "ant": 1})
        self.assertEqual(dataset.Caltech101Dataset(str(self.folder), "annotation").get_col_names(), ["image", "annotation"])
        data = dataset.Caltech256Dataset(str(self.folder / "101_ObjectCategories"), shuffle=False)
        self.assertEqual((self.labels(data), data.num_classes()), ([0, 1, 2], 3))

    def test_omniglot(self):
        for alphabet in ("Zulu", "Alpha"):
            for character in ("character02", "character01"):
                picture = self.picture(f"images_background/{alphabet}/{character}/01.png")
        data = dataset.OmniglotDataset(str(self.folder), shuffle=False, decode=True)
        self.assertEqual((self.labels(data), data.num_classes()), ([0, 1, 2, 3], 4))
        np.testing.assert_array_equal(self.rows(data)[0][0], picture)

    def test_faces(self):
        pictures = {(name, i): self.picture(f"lfw/{name}/{name}_000{i}.jpg", "JPEG") for name in ("A_B", "C_D") for i in (1, 2)}
        self.write("lfw-names.txt", "A_B\t2\nC_D\t2\n")
        self.write("people.txt", "1\n1\nC_D\t2\n")
        self.write("pairsDevTrain.txt", "1\nA_B\t1\t2\nA_B\t1\tC_D\t2\n")
        self.write("pairsDevTest.txt", "1\nC_D\t2\t1\n")
        people = dataset.LFWDataset(str(self.folder), "people", "10fold", "original", shuffle=False)
        self.assertEqual(self.labels(people), [1, 1])
        pairs = dataset.LFWDataset(str(self.folder), "pairs", image_set="original", shuffle=False, decode=True)
        self.assertEqual((pairs.get_col_names(), [int(row[2]) for row in self.rows(pairs)]), (["image1", "image2", "label"], [1, 0, 1]))
        self.assertEqual(self.rows(pairs)[1][1].shape, pictures["C_D", 2].shape)
        self.write("people.txt", "1\n1\nE_F\t2\n")
        with self.assertRaisesRegex(ValueError, "people.txt:3: a line should be a name"):
            dataset.LFWDataset(str(self.folder), "people", "10fold", "original")

    def test_scenes(self):
        for name in ("data_256_standard/b/bar/1", "data_256_standard/a/air/2", "val_large/v"):
            self.picture(name + ".jpg", "JPEG")
        self.write("places365_train_standard.txt", "/b/bar/1.jpg 2\n/a/air/2.jpg 0\n")
        self.write("places365_val.txt", "v.jpg 7\n")
        self.assertEqual(self.labels(dataset.Places365Dataset(str(self.folder), shuffle=False)), [2, 0])
        self.assertEqual(self.labels(dataset.Places365Dataset(str(self.folder), "val", False)), [7])
        for label in ("x", "4294967296", "9" * 5000):
            self.write("places365_val.txt", f"v.jpg {label}\n")
            with self.assertRaisesRegex(ValueError, f"places365_val.txt:1: '{label}' is no number"):
                dataset.Places365Dataset(str(self.folder), "val")
        self.write("ClassName.txt", "/z/zoo/outdoor\n/a/abbey\n")
        for name in ("z/zoo/outdoor/sun_b", "z/zoo/outdoor/other", "a/abbey/sun_c", "a/abbey/sun_b"):
            self.picture(name + ".jpg", "JPEG")
        self.assertEqual(self.labels(dataset.SUN397Dataset(str(self.folder), shuffle=False)), [0, 1, 1])

    def test_folders_of_parts(self):
        first = {part: self.picture(f"{part}/negative/0001.png") for part in ("train", "valid", "test")}
        for part in first:
            self.picture(f"{part}/positive/0001.png")
        data = dataset.RenderedSST2Dataset(str(self.folder), shuffle=False, decode=True)
        self.assertEqual((self.labels(data), data.num_classes()), ([0, 1] * 3, 2))
        np.testing.assert_array_equal(self.rows(data)[0][0], first["test"])
        for name in ("kitchen_train", "kitchen_val", "bedroom_train"):
            self.picture(f"lsun/{name}/1.jpg", "JPEG")
        folder = str(self.folder / "lsun")
        self.assertEqual(self.labels(dataset.LSUNDataset(folder, shuffle=False)), [0, 1, 2])
        self.assertEqual(self.labels(dataset.LSUNDataset(folder, "train", ["kitchen"])), [0])
        with self.assertRaisesRegex(ValueError, "Input classes is not within the valid set"):
            dataset.LSUNDataset(folder, "train", ["cellar"])

    def test_patches(self):
        pixels = self.drawn("liberty/patches0000.bmp", RNG.integers(0, 256, (1024, 1024)).astype(np.uint8), "BMP")
        self.write("liberty/info.txt", "0 0\n" * 20)
        self.write("liberty/m50_100000_100000_0.txt", "0 5 0 17 5 0 0\n1 5 0 2 6 0 0\n")
        rows = self.rows(dataset.PhotoTourDataset(str(self.folder), "liberty", shuffle=False))
        self.assertEqual(len(rows), 20)
        np.testing.assert_array_equal(rows[17][0][..., 0], pixels[64:128, 64:128])
        rows = self.rows(dataset.PhotoTourDataset(str(self.folder), "liberty", "test", shuffle=False))
        self.assertEqual([int(row[2]) for row in rows], [1, 0])
        self.write("liberty/m50_100000_100000_0.txt", "0 5 0 20 5 0 0\n")
        with self.assertRaisesRegex(ValueError, "m50_100000_100000_0.txt:1: a line should have 7 numbers"):
            dataset.PhotoTourDataset(str(self.folder), "liberty", "test")

    def test_usps(self):
        values = RNG.uniform(-1, 1, (2, 256)).round(4)
        self.write("usps", usps((10, 1), values))
        image, label = self.rows(dataset.USPSDataset(str(self.folder), "train", shuffle=False))[0]
        np.testing.assert_array_equal(image[..., 0], ((values[0] + 1) / 2 * 255).astype(np.uint8).reshape(16, 16))
        self.assertEqual((image.shape, int(label)), ((16, 16, 1), 9))
        for line in ("11 " + "1:0 " * 256, "1 1:0", "1 " + "1:nan " * 256, "x"):
            self.write("usps.t", line)
            with self.assertRaisesRegex(ValueError, "usps.t:1: a line should have a label"):
                dataset.USPSDataset(str(self.folder), "test")


class ScenesTest(Folder):
    """Sets of images with boxes, masks, captions."""

    def test_kitti(self):
        self.picture("data_object_image_2/training/image_2/000000.png")
        self.picture("data_object_image_2/testing/image_2/000000.png")
        path = "data_object_label_2/training/label_2/000000.txt"
        self.write(path, "Van" + KITTI_FIELDS + "DontCare -1 -1 -10" + " 1" * 11 + "\n")
        data = dataset.KITTIDataset(str(self.folder))
        self.assertEqual(data.get_col_names(), ["image", "label", "truncated", "occluded", "alpha", "bbox", "dimensions", "location",
                                                "rotation_y"])
        row = self.rows(data)[0]
        self.assertEqual([value.tolist() for value in row[1:4]], [[[1], [0]], [[0.5], [-1]], [[1], [2 ** 32 - 1]]])
        self.assertEqual([value[0].tolist() for value in row[5:]], [[10.5, 20.25, 30, 40], [1.5, 1.75, 3.5], [-2.5, 1.5, 3.5], [-1.25]])
        self.assertEqual(dataset.KITTIDataset(str(self.folder), "test").get_col_names(), ["image"])
        for line in ("Van 1 2", "Van" + " 1e20" * 14, "Van" + " nan" * 14):
            self.write(path, line + "\n")
            with self.assertRaisesRegex(ValueError, "000000.txt:1: there should be 14 numbers"):
                dataset.KITTIDataset(str(self.folder))

    def test_wider_face(self):
        for part in ("train", "val"):
            for i in range(2):
                self.picture(f"WIDER_{part}/images/0--P/{i}.jpg", "JPEG")
        lists = "wider_face_split/wider_face_{}_bbx_gt.txt"
        self.write(lists.format("train"), "0--P/1.jpg\n2\n1 2 3 4 2 0 1 0 2 1 \n5 6 7 8 0 1 0 1 0 0 \n0--P/0.jpg\n0\n" + "0 " * 10 + "\n")
        self.write(lists.format("val"), "0--P/0.jpg\n1\n9 8 7 6 0 0 0 0 0 0\n")
        data = dataset.WIDERFaceDataset(str(self.folder), shuffle=False)
        self.assertEqual(data.get_dataset_size(), 3)
        row = dict(zip(data.get_col_names(), self.rows(data)[1]))
        self.assertEqual(row.pop("bbox").tolist(), [[1, 2, 3, 4], [5, 6, 7, 8]])
        row.pop("image")
        self.assertEqual({name: value.tolist() for name, value in row.items()},
                         {"blur": [2, 0], "expression": [0, 1], "illumination": [1, 0], "occlusion": [2, 0], "pose": [1, 0],
                          "invalid": [0, 1]})
        self.write(lists.format("val"), "0--P/0.jpg\n5\n9 8 7 6 0 0 0 0 0 0\n")
        with self.assertRaisesRegex(ValueError, "val_bbx_gt.txt:2: there should be 5 lines of faces"):
            dataset.WIDERFaceDataset(str(self.folder))

    def test_div2k(self):
        full = [self.picture(f"DIV2K_valid_HR/080{i}.png") for i in (1, 2)]
        for folder, end in (("bicubic/X2", "x2"), ("x8", "x8"), ("mild", "x4m")):
            less = [self.picture(f"DIV2K_valid_LR_{folder}/080{i}{end}.png") for i in (1, 2)]
        rows = self.rows(dataset.DIV2KDataset(str(self.folder), "valid", "mild", 4, shuffle=False, decode=True))
        np.testing.assert_array_equal(rows[1], [full[1], less[1]])
        for arguments in (("bicubic", 2), ("bicubic", 8)):
            self.assertEqual(dataset.DIV2KDataset(str(self.folder), "valid", *arguments).get_dataset_size(), 2)
        for arguments, message in ((("unknown", 8), "only in bicubic"), (("mild", 2), "requires scale equal to 4"), (("wild", 5), "scale")):
            with self.assertRaisesRegex(ValueError, message):
                dataset.DIV2KDataset(str(self.folder), "valid", *arguments)

    def test_captions(self):
        for i in (1, 2):
            self.picture(f"images/{i}.jpg", "JPEG")
        self.write("tokens", "2.jpg#0\tB #1\n1.jpg#0\tA\n2.jpg#1\tC\n")
        data = dataset.FlickrDataset(str(self.folder / "images"), str(self.folder / "tokens"), shuffle=False)
        self.assertEqual([row[1].tolist() for row in self.rows(data)], [["A"], ["B #1", "C"]])
        picture = self.picture("sbu_images/m_33_7_x.jpg", "JPEG")
        self.write("SBU_captioned_photo_dataset_urls.txt", "http://static.flickr.com/33/8.jpg\nhttp://static.flickr.com/33/7_x.jpg\n")
        self.write("SBU_captioned_photo_dataset_captions.txt", "none\n a dog .  \n")
        image, caption = self.rows(dataset.SBUDataset(str(self.folder), decode=True))[0]
        self.assertEqual((image.shape, str(caption)), (picture.shape, " a dog ."))

    def test_cityscapes(self):
        for part, truth in (("train", "gtFine"), ("train_extra", "gtCoarse")):
            for city in ("bonn", "aachen"):
                self.picture(f"leftImg8bit/{part}/{city}/{city}_0_leftImg8bit.png")
                mask = self.picture(f"{truth}/{part}/{city}/{city}_0_{truth}_instanceIds.png")
                self.write(f"{truth}/{part}/{city}/{city}_0_{truth}_polygons.json", json.dumps({"b": [1.5, None], "a": city}, indent=2))
        rows = self.rows(dataset.CityscapesDataset(str(self.folder), "train_extra", "coarse", shuffle=False, decode=True))
        np.testing.assert_array_equal(rows[0][1], mask)
        data = dataset.CityscapesDataset(str(self.folder), task="polygon", shuffle=False)
        self.assertEqual([str(row[1]) for row in self.rows(data)], ['{"a":"aachen","b":[1.5,null]}', '{"a":"bonn","b":[1.5,null]}'])
        with self.assertRaisesRegex(ValueError, "Input usage is not within the valid set"):
            dataset.CityscapesDataset(str(self.folder), "train_extra")

    def test_boundaries(self):
        lines, classes = RNG.integers(0, 2, (20, 4, 5)).astype(np.uint8), RNG.integers(0, 21, (4, 5)).astype(np.uint8)
        self.picture("img/a.jpg", "JPEG")
        self.write("cls/a.mat", mat(True, GTcls={"Boundaries": [Sparse(one) for one in lines], "Segmentation": classes}))
        self.write("train_noval.txt", "a\n")
        for task, expected in (("Boundaries", lines), ("Segmentation", classes)):
            data = dataset.SBDataset(str(self.folder), task, "train_noval")
            self.assertEqual(data.get_col_names(), ["image", "task"])
            np.testing.assert_array_equal(self.rows(data)[0][1], expected)
        self.write("cls/a.mat", mat(GTcls={"Boundaries": [Sparse(lines[0])]}))
        with self.assertRaisesRegex(ValueError, "a.mat': 'Boundaries' should be 20"):
            self.rows(dataset.SBDataset(str(self.folder), usage="train_noval"))


if __name__ == "__main__":
    unittest.main()
