"""What a profile of later versions is asked for; all kinds note the same spans here."""

import enum


class ProfilerLevel(enum.Enum):
    """How much another device notes."""

    LevelNone, Level0, Level1, Level2 = "LevelNone", "Level0", "Level1", "Level2"


class ProfilerActivity(enum.Enum):
    """What is looked at."""

    NPU, GPU, CPU = "NPU", "GPU", "CPU"


class AicoreMetrics(enum.Enum):
    """What the cores of an Ascend device count."""

    PipeUtilization, ArithmeticUtilization, Memory, MemoryL0 = "PipeUtilization", "ArithmeticUtilization", "Memory", "MemoryL0"
    MemoryUB, ResourceConflictRatio, L2Cache, MemoryAccess = "MemoryUB", "ResourceConflictRatio", "L2Cache", "MemoryAccess"
    AiCoreNone = "None"


class ExportType(enum.Enum):
    """How traces are written."""

    Text, Db = "text", "db"


class HostSystem(enum.Enum):
    """What of the machine is looked at."""

    CPU, MEM, DISK, NETWORK, OSRT = "cpu", "mem", "disk", "network", "osrt"


class _ExperimentalConfig:
    """Settings of Ascend devices, kept as they are given."""

    def __init__(self, profiler_level=ProfilerLevel.Level0, aic_metrics=AicoreMetrics.AiCoreNone, l2_cache=False, mstx=False,
                 data_simplification=True, export_type=None, mstx_domain_include=None, mstx_domain_exclude=None, sys_io=False,
                 sys_interconnection=False, host_sys=None):
        self.profiler_level, self.aic_metrics, self.l2_cache, self.mstx = profiler_level, aic_metrics, l2_cache, mstx
        self.data_simplification, self.export_type, self.host_sys = data_simplification, export_type or [ExportType.Text], host_sys or []
        self.mstx_domain_include, self.mstx_domain_exclude = mstx_domain_include or [], mstx_domain_exclude or []
        self.sys_io, self.sys_interconnection = sys_io, sys_interconnection
