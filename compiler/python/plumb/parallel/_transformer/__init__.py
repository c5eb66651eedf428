"""Blocks of large language models where MindSpore 2.0 has them: those of `plumb.nn.transformer`."""

from plumb.nn.transformer import (AttentionMask, CrossEntropyLoss, EmbeddingOpParallelConfig, FeedForward, MoEConfig, MultiHeadAttention,
                                  OpParallelConfig, TransformerDecoder, TransformerDecoderLayer, TransformerEncoder,
                                  TransformerEncoderLayer, TransformerOpParallelConfig, TransformerRecomputeConfig, VocabEmbedding)
