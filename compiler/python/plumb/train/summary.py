"""Records for MindInsight, which are refused where a program makes one: importing the name is no use of it."""


class SummaryRecord:
    """Raises NotImplementedError: no summary files are written."""

    def __init__(self, *_, **__):
        raise NotImplementedError(f"'{type(self).__name__}' is not offered by plumb, which writes no summary files; take what is "
                                  f"reported in a Callback's 'step_end', for example with LossMonitor.")


class SummaryCollector(SummaryRecord):
    """Raises NotImplementedError: no summary files are written."""
