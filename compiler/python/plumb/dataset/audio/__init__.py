"""Operations on sound."""

from plumb.common._offers import not_offered, offered
from plumb.dataset.audio.effects import Contrast, DCShift, Dither, Fade, Flanger, Gain, MuLawDecoding, MuLawEncoding, Overdrive, Phaser, Vol
from plumb.dataset.audio.filters import (AllpassBiquad, BandBiquad, BandpassBiquad, BandrejectBiquad, BassBiquad, Biquad, DeemphBiquad,
                                         EqualizerBiquad, Filtfilt, HighpassBiquad, LFilter, LowpassBiquad, RiaaBiquad, TrebleBiquad)
from plumb.dataset.audio.masks import FrequencyMasking, MaskAlongAxis, MaskAlongAxisIID, TimeMasking
from plumb.dataset.audio.resampling import Resample
from plumb.dataset.audio.spectra import (LFCC, MFCC, AmplitudeToDB, Angle, ComplexNorm, ComputeDeltas, DBToAmplitude, GriffinLim,
                                         InverseMelScale, InverseSpectrogram, Magphase, MelScale, MelSpectrogram, PhaseVocoder,
                                         PitchShift, SlidingWindowCmn, SpectralCentroid, Spectrogram, TimeStretch)
from plumb.dataset.audio.utils import (BorderType, DensityFunction, FadeShape, GainType, Interpolation, MelType, Modulation, NormMode,
                                       NormType, ResampleMethod, ScaleType, WindowType, create_dct, linear_fbanks, melscale_fbanks)
from plumb.dataset.audio.voice import DetectPitchFrequency, Vad

__all__ = offered(globals())
__getattr__ = not_offered(__name__)
