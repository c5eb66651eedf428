"""Summaries: numbers, pictures and histograms of a run in TensorBoard's event files."""

from plumb.common._offers import not_offered
from plumb.train.summary.summary_record import SummaryRecord

__getattr__ = not_offered(__name__)
