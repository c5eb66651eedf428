"""Operations on images."""

from plumb.common._offers import not_offered, offered
from plumb.dataset.operations import HWC2CHW, Inter, Normalize, Rescale, Resize
from plumb.dataset.transforms.transforms import not_random
from plumb.dataset.vision.augment import (AutoAugment, CutMixBatch, MixUp, RandAugment, RandomSelectSubpolicy, TrivialAugmentWide,
                                          UniformAugment)
from plumb.dataset.vision.boxes import (BoundingBoxAugment, RandomCropWithBBox, RandomHorizontalFlipWithBBox,
                                        RandomResizedCropWithBBox, RandomResizeWithBBox, RandomVerticalFlipWithBBox,
                                        ResizeWithBBox)
from plumb.dataset.vision.colours import (AdjustBrightness, AdjustContrast, AdjustGamma, AdjustHue, AdjustSaturation,
                                          AdjustSharpness, AutoContrast, ConvertColor, Equalize, HsvToRgb, Posterize,
                                          RandomAdjustSharpness, RandomAutoContrast, RandomColor, RandomEqualize,
                                          RandomGrayscale, RandomInvert, RandomLighting, RandomPosterize, RandomSharpness,
                                          RandomSolarize, RgbToHsv, Solarize)
from plumb.dataset.vision.crops import (Erase, FiveCrop, PadToSize, RandomCropDecodeResize, RandomErasing, RandomResize,
                                        ResizedCrop, SlicePatches, TenCrop)
from plumb.dataset.vision.filters import GaussianBlur, LinearTransformation, NormalizePad, ToNumpy, ToPIL, ToType
from plumb.dataset.vision.geometry import Affine, Perspective, RandomAffine, RandomPerspective, RandomRotation, Rotate
from plumb.dataset.vision.image_files import (encode_jpeg, encode_png, get_image_num_channels, get_image_size, read_file,
                                              read_image, write_file, write_jpeg, write_png)
from plumb.dataset.vision.transforms import (CenterCrop, Crop, CutOut, Decode, Grayscale, HorizontalFlip, Invert, MixUpBatch, Pad,
                                             RandomColorAdjust, RandomCrop, RandomHorizontalFlip, RandomResizedCrop,
                                             RandomVerticalFlip, ToTensor, VerticalFlip)
from plumb.dataset.vision.utils import AutoAugmentPolicy, Border, ConvertMode, ImageBatchFormat, ImageReadMode, SliceMode

__all__ = offered(globals())
_VIDEOS = "videos are not offered: let a function of GeneratorDataset give their frames, by a decoder of the program's own"

__getattr__ = not_offered(__name__, instead=dict.fromkeys("DecodeVideo VideoDecoder read_video read_video_timestamps".split(), _VIDEOS))
