"""Wrappers."""

from plumb.nn.wrap.cell_wrapper import TrainOneStepCell, WithEvalCell, WithLossCell
