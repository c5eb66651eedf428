"""The loss under the name of the module that defines it in MindSpore 2.0."""

from plumb.nn.transformer import CrossEntropyLoss
