"""Cases of images: resizing, sampling, colours, boxes, cropping, fractional pooling, transposed convolutions; as cases.py says."""

_SIZE = "ms.Tensor([9, 5], ms.int32)"
_CROPS = "ms.Tensor([[0.1, 0.2, 0.8, 0.9], [0.0, 0.9, 1.2, 0.1], [-0.3, 0.2, 0.5, 1.4]]), ms.Tensor([1, 0, 1], ms.int32)"
_REGIONS = "ms.Tensor([[0, 1.0, 0.5, 9.0, 8.0], [1, 3.0, 2.0, 4.0, 12.0]])"
_DETECTED = ("ms.Tensor([[10.0, 10, 50, 68, 0.63], [15, 12, 60, 70, 0.55], [12, 190, 288, 200, 0.9], [28, 130, 106, 172, 0.3], "
             "[11, 9, 52, 66, 0.71]])")
_BOXES = "ms.Tensor([[1.0, 2, 6, 8], [1, 3, 6, 8], [2, 2, 7, 9], [10, 10, 14, 15], [11, 10, 14, 16]])"
_SCORES = "ms.Tensor([0.4, 0.5, 0.72, 0.9, 0.45])"
_LIMITS = "ms.Tensor(4, ms.int32), ms.Tensor({overlap}), ms.Tensor({score})"
_GRIDS = (("GridSampler2D", "images, grid"), ("GridSampler3D", "volume, grid3"))
_SAMPLERS = [f"'{mode}', '{padding}', {align}" for mode in ("bilinear", "nearest") for padding in ("zeros", "border", "reflection")
             for align in (True, False)]
_RESIZED = [
    "{0}(sequence, (5,), mode='nearest')", "{0}(images, (9, 5), mode='nearest')", "{0}(sequence, (5,), mode='linear', align_corners=False)",
    "{0}(sequence, (13,), mode='linear', align_corners=True)", "{0}(images, (9, 5), mode='bilinear', align_corners=False)",
    "{0}(images, (9, 5), mode='bilinear', align_corners=True)", "{0}(images, (9, 5), mode='bicubic', align_corners=False)",
    "{0}(images, (9, 5), mode='bicubic', align_corners=True)", "{0}(sequence, (4,), mode='area')", "{0}(images, (3, 4), mode='area')",
    "{0}(volume, (1, 2, 3), mode='area')", "{0}(images, scale_factor=(2.0, 1.5), mode='nearest', recompute_scale_factor=True)",
    "{0}(images, scale_factor=0.6, mode='area', recompute_scale_factor=True)",
    "{0}(images, scale_factor=(2.0, 1.5), mode='bilinear', recompute_scale_factor=True)"]

FUNCTIONS = {
    **{name: [text.format(f"ops.{name}") for text in _RESIZED] for name in ("interpolate", "upsample")},
    "grid_sample": [f"ops.grid_sample(images, grid, {arguments})" for arguments in _SAMPLERS] + ["ops.grid_sample(volume, grid3)"],
    "affine_grid": ["ops.affine_grid(theta, (2, 3, 4, 5))", "ops.affine_grid(theta, (2, 3, 4, 5), True)", "ops.affine_grid(theta3, (2, 1, 2, 3, 4))",
                    "ops.affine_grid(theta3, (2, 1, 2, 3, 4), True)"],
    "crop_and_resize": [f"ops.crop_and_resize(picture, {_CROPS}, (3, 4))", f"ops.crop_and_resize(picture, {_CROPS}, (3, 4), 'nearest', 2.0)",
                        f"ops.crop_and_resize(picture, {_CROPS}, (4, 3), 'bilinear_v2')"],
    "bounding_box_encode": ["ops.bounding_box_encode(anchors, truths)",
                            "ops.bounding_box_encode(anchors, truths, (0.1, 0.2, 0.0, -0.1), (0.5, 1.0, 2.0, 0.3))"],
    "bounding_box_decode": ["ops.bounding_box_decode(anchors, square3 * 0.3, (768, 1280))",
                            "ops.bounding_box_decode(anchors, square3, (12, 14), (0.1, 0.2, 0.0, -0.1), (0.5, 1.0, 2.0, 0.3), 0.1)"],
    "check_valid": ["ops.check_valid(anchors, ms.Tensor([12, 14, 1.0]))"],
    "iou": ["ops.iou(anchors, truths)", "ops.iou(anchors, truths, 'iof')"],
    "fractional_max_pool2d": [f"ops.fractional_max_pool2d(images, 2, {size}, return_indices=True, _random_samples=samples)[{i}]"
                              for size in ("output_size=(3, 2)", "output_ratio=(0.6, 0.5)") for i in (0, 1)],
    "fractional_max_pool3d": [f"ops.fractional_max_pool3d(deep, (2, 2, 2), {size}, return_indices=True, _random_samples=samples3)[{i}]"
                              for size in ("output_size=(2, 3, 3)", "output_ratio=(0.5, 0.6, 0.6)") for i in (0, 1)],
    "conv3d_transpose": ["ops.conv3d_transpose(volume, cubes_back)", "ops.conv3d_transpose(volume, cubes_back, 'pad', 1, 2, 1, 1, 1)",
                         "ops.conv3d_transpose(volume, cubes_back, 'same', 0, 2)"],
}

PRIMITIVES = {
    **{name: [f"ops.{name}({arguments})({inputs})" for arguments in _SAMPLERS] for name, inputs in _GRIDS},
    "AffineGrid": ["ops.AffineGrid()(theta, (2, 3, 4, 5))", "ops.AffineGrid(True)(theta, (2, 3, 4, 5))"],
    "AdjustHue": ["ops.AdjustHue()(picture, ms.Tensor(0.2))", "ops.AdjustHue()(picture, ms.Tensor(-0.7))"],
    "AdjustSaturation": ["ops.AdjustSaturation()(picture, ms.Tensor(0.5))", "ops.AdjustSaturation()(picture, ms.Tensor(1.7))"],
    "RGBToHSV": ["ops.RGBToHSV()(picture)"], "HSVToRGB": ["ops.HSVToRGB()(picture)"],
    "ResizeArea": ["ops.ResizeArea()(picture, ms.Tensor([3, 4], ms.int32))", "ops.ResizeArea(True)(picture, ms.Tensor([9, 4], ms.int32))"],
    "ResizeBicubic": [f"ops.ResizeBicubic({arguments})(images, {_SIZE})" for arguments in ("", "True", "False, True")],
    "ResizeBilinear": ["ops.ResizeBilinear((9, 5))(images)", "ops.ResizeBilinear((9, 5), True)(images)"],
    "ResizeBilinearV2": [f"ops.ResizeBilinearV2({arguments})(images, (9, 5))" for arguments in ("", "True", "False, True")],
    "ResizeLinear1D": ["ops.ResizeLinear1D()(sequence, (5,))", "ops.ResizeLinear1D('half_pixel')(sequence, (13,))"],
    "ResizeNearestNeighbor": ["ops.ResizeNearestNeighbor((9, 5))(images)", "ops.ResizeNearestNeighbor((9, 5), True)(images)"],
    "ResizeNearestNeighborV2": [f"ops.ResizeNearestNeighborV2({arguments}data_format='NCHW')(images, {_SIZE})" for arguments in
                                ("", "True, ", "False, True, ")] + [f"ops.ResizeNearestNeighborV2()(picture, {_SIZE})"],
    "UpsampleNearest3D": ["ops.UpsampleNearest3D([3, 3, 4])(volume)", "ops.UpsampleNearest3D(scales=[1.0, 2.0, 1.5])(volume)"],
    "UpsampleTrilinear3D": ["ops.UpsampleTrilinear3D([3, 3, 4])(volume)", "ops.UpsampleTrilinear3D([3, 3, 4], align_corners=True)(volume)",
                            "ops.UpsampleTrilinear3D(scales=[1.0, 2.0, 1.5])(volume)"],
    "ScaleAndTranslate": [f"ops.ScaleAndTranslate('{kernel}', {smooth})(picture, ms.Tensor([5, 4], ms.int32), ms.Tensor([0.7, 1.3]), ms.Tensor([0.5, -0.4]))"
                          for kernel in ("lanczos1", "lanczos3", "lanczos5", "gaussian", "box", "triangle", "keyscubic", "mitchellcubic")
                          for smooth in (True, False)],
    "CropAndResize": [f"ops.CropAndResize()(picture, {_CROPS}, (3, 4))", f"ops.CropAndResize('nearest', 2.0)(picture, {_CROPS}, (3, 4))",
                      f"ops.CropAndResize('bilinear_v2')(picture, {_CROPS}, (4, 3))"],
    "ExtractGlimpse": [f"ops.operations.image_ops.ExtractGlimpse({arguments}, False, '{noise}')(picture, ms.Tensor([3, 4], ms.int32), ms.Tensor([[0.2, -0.3], [0.9, 0.5]]))"
                       for arguments in ("True, True", "False, True", "False, False") for noise in ("zero",)],
    "BoundingBoxEncode": ["ops.BoundingBoxEncode()(anchors, truths)", "ops.BoundingBoxEncode((0.1, 0.2, 0.0, -0.1), (0.5, 1.0, 2.0, 0.3))(anchors, truths)"],
    "BoundingBoxDecode": ["ops.BoundingBoxDecode((768, 1280))(anchors, square3 * 0.3)",
                          "ops.BoundingBoxDecode((12, 14), (0.1, 0.2, 0.0, -0.1), (0.5, 1.0, 2.0, 0.3), 0.1)(anchors, square3)"],
    "CheckValid": ["ops.CheckValid()(anchors, ms.Tensor([12, 14, 1.0]))"], "IOU": ["ops.IOU()(anchors, truths)", "ops.IOU('iof')(anchors, truths)"],
    "ROIAlign": [f"ops.ROIAlign(3, 2, 0.5, {arguments})(images, {_REGIONS})" for arguments in ("2, 1", "2, 0", "3, 1")],
    "FractionalMaxPoolWithFixedKsize": [f"ops.FractionalMaxPoolWithFixedKsize((2, 3), (3, 2))(images, samples)[{i}]" for i in (0, 1)],
    "FractionalMaxPool3DWithFixedKsize": [f"ops.FractionalMaxPool3DWithFixedKsize((2, 2, 2), (2, 3, 3))(deep, samples3)[{i}]" for i in (0, 1)],
    "Conv2DTranspose": ["ops.Conv2DTranspose(6, 3)(upper, kernel, (2, 4, 7, 6))", "ops.Conv2DTranspose(6, 3, 'same', stride=2)(upper, kernel, (2, 4, 10, 8))",
                        "ops.Conv2DTranspose(6, 3, 'pad', 1)(upper, kernel, (2, 4, 5, 4))"],
    "Conv2DBackpropInput": ["ops.Conv2DBackpropInput(6, 3)(upper, kernel, (2, 4, 7, 6))"],
    "DepthwiseConv2dNative": ["ops.DepthwiseConv2dNative(1, 3)(images, kernel[:1])"],
    "Conv3D": ["ops.Conv3D(2, (2, 3, 2))(volume, cubes)", "ops.Conv3D(2, (2, 3, 2), pad_mode='same', stride=2)(volume, cubes)",
               "ops.Conv3D(2, (2, 3, 2), pad_mode='pad', pad=1)(volume, cubes)"],
    "Conv3DTranspose": ["ops.Conv3DTranspose(3, 2, (2, 3, 2))(volume, cubes_back)",
                        "ops.Conv3DTranspose(3, 2, (2, 3, 2), pad_mode='pad', pad=1, stride=2, output_padding=1)(volume, cubes_back)"],
}

_SAMPLES = "_random_samples=ms.Tensor([[[0.3, 0.6], [0.1, 0.8], [0.5, 0.2], [0.9, 0.4]], [[0.2, 0.7], [0.6, 0.3], [0.8, 0.1], [0.4, 0.5]]])"
_SAMPLES3 = "_random_samples=ms.Tensor([[[0.3, 0.6, 0.2], [0.1, 0.8, 0.7], [0.5, 0.2, 0.4]], [[0.2, 0.7, 0.9], [0.6, 0.3, 0.1], [0.8, 0.1, 0.5]]])"

CELLS = {
    "CentralCrop": [("nn.CentralCrop(0.5)", "cell(images)"), ("nn.CentralCrop(0.7)", "cell(images[0])")],
    "ImageGradients": [("nn.ImageGradients()", "cell(images)[0]"), ("nn.ImageGradients()", "cell(images)[1]")],
    "PSNR": [("nn.PSNR()", "cell(photos, prints)"), ("nn.PSNR(255)", "cell(photos, prints)")],
    "SSIM": [("nn.SSIM(filter_size=3)", "cell(photos, prints)"), ("nn.SSIM(2.0, 5, 0.8, 0.02, 0.05)", "cell(photos, prints)")],
    "MSSSIM": [("nn.MSSSIM(1.0, (0.3, 0.7), 3)", "cell(photos, prints)")],
    "ResizeBilinear": [("nn.ResizeBilinear()", "cell(images, (9, 5))"), ("nn.ResizeBilinear()", "cell(images, (9, 5), align_corners=True)"),
                       ("nn.ResizeBilinear(True)", "cell(images, (9, 5))"), ("nn.ResizeBilinear()", "cell(images, scale_factor=2)")],
    "FractionalMaxPool2d": [(f"nn.FractionalMaxPool2d(2, (3, 2), {_SAMPLES})", "cell(images)"),
                            (f"nn.FractionalMaxPool2d(2, None, (0.6, 0.5), True, {_SAMPLES})", "cell(images)[1]")],
    "FractionalMaxPool3d": [(f"nn.FractionalMaxPool3d((2, 2, 2), (2, 3, 3), {_SAMPLES3})", "cell(deep)"),
                            (f"nn.FractionalMaxPool3d((2, 2, 2), None, (0.5, 0.6, 0.6), True, {_SAMPLES3})", "cell(deep)[1]")],
}

#: Expressions of host functions: values alone.
VALUES = {
    "NMSWithMask": [f"ops.NMSWithMask({least})({_DETECTED})" for least in (0.1, 0.5)],
    "NonMaxSuppressionV3": [f"ops.NonMaxSuppressionV3()({_BOXES}, {_SCORES}, {_LIMITS.format(overlap=0.5, score=0.0)})",
                            f"ops.NonMaxSuppressionV3()({_BOXES}, {_SCORES}, {_LIMITS.format(overlap=0.2, score=0.48)})"],
    "NonMaxSuppressionWithOverlaps": [
        f"ops.NonMaxSuppressionWithOverlaps()(ops.abs(definite) * 0.3, ms.Tensor([0.18, 0.17, 0.53, 0.55]), {_LIMITS.format(overlap=0.4, score=0.1)})"],
    **{f"Fractional{name}Pool": [f"ops.Fractional{name}Pool([1.0, 2.0, 3.0, 1.0]{more})(picture)" for more in ("", ", overlapping=True")]
       for name in ("Avg", "Max")},
}
