"""Layers."""

from plumb.common._offers import offered
from plumb.nn.layer.activation import (CELU, ELU, GELU, GLU, FastGelu, Hardtanh, HShrink, HSigmoid, HSwish, LeakyReLU,
                                       LogSigmoid, LogSoftmax, Mish, PReLU, ReLU, ReLU6, RReLU, SeLU, Sigmoid, SiLU,
                                       Softmax, Softmax2d, Softmin, Softplus, SoftShrink, Softsign, Tanh, Tanhshrink,
                                       Threshold, get_activation)
from plumb.nn.layer.basic import (BiDense, Dense, Dropout, Dropout1d, Dropout2d, Dropout3d, Flatten, Identity,
                                  Unflatten)
from plumb.nn.layer.combined import Conv2dBnAct, DenseBnAct
from plumb.nn.layer.container import CellDict, CellList, SequentialCell
from plumb.nn.layer.conv import Conv1d, Conv1dTranspose, Conv2d, Conv2dTranspose, Conv3d, Conv3dTranspose
from plumb.nn.layer.embedding import Embedding, EmbeddingLookup, MultiFieldEmbeddingLookup
from plumb.nn.layer.image import MSSSIM, PSNR, SSIM, CentralCrop, ImageGradients, ResizeBilinear, Upsample
from plumb.nn.layer.math import (ClipByNorm, CosineSimilarity, DiGamma, IGamma, LBeta, LGamma, MatDet, MatInverse, MatrixDiag,
                                 MatrixDiagPart, MatrixSetDiag, Moments, Norm, Range, ReduceLogSumExp)
from plumb.nn.layer.normalization import (LRN, BatchNorm1d, BatchNorm2d, BatchNorm3d, GroupNorm, InstanceNorm1d,
                                          InstanceNorm2d, InstanceNorm3d, LayerNorm, SyncBatchNorm)
from plumb.nn.layer.padding import (ConstantPad1d, ConstantPad2d, ConstantPad3d, Pad, ReflectionPad1d, ReflectionPad2d,
                                    ReflectionPad3d, ReplicationPad1d, ReplicationPad2d, ReplicationPad3d, ZeroPad2d)
from plumb.nn.layer.more_pooling import (AdaptiveAvgPool1d, AdaptiveAvgPool3d, AdaptiveMaxPool1d, AdaptiveMaxPool2d,
                                         AdaptiveMaxPool3d, AvgPool1d, AvgPool3d, FractionalMaxPool2d,
                                         FractionalMaxPool3d, LPPool1d, LPPool2d, MaxPool1d, MaxPool3d, MaxUnpool1d,
                                         MaxUnpool2d, MaxUnpool3d)
from plumb.nn.layer.pooling import AdaptiveAvgPool2d, AvgPool2d, MaxPool2d
from plumb.nn.layer.rearranging import (ChannelShuffle, L1Regularizer, MatMul, OneHot, PixelShuffle, PixelUnshuffle, Roll,
                                        TimeDistributed, Tril, Triu, Unfold)
from plumb.nn.layer.rnn_cells import GRUCell, LSTMCell, RNNCell
from plumb.nn.layer.rnns import GRU, LSTM, RNN
from plumb.nn.layer.thor_layers import Conv2dThor, DenseThor, EmbeddingLookupThor, EmbeddingThor
from plumb.nn.layer.transformer import (MultiheadAttention, Transformer, TransformerDecoder, TransformerDecoderLayer,
                                        TransformerEncoder, TransformerEncoderLayer)

__all__ = offered(globals())
