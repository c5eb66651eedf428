"""Which steps of a loop a profile notes: `mindspore.profiler.schedule` of 2.5 and later."""

import enum


class ProfilerAction(enum.Enum):
    """What happens in a step; RECORD_AND_SAVE is the last one that is noted before the trace is written."""

    NONE = 0
    WARM_UP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3


class schedule:  # pylint: disable=invalid-name
    """The action of each step: behind `skip_first` steps, rounds of `wait` and `warmup` steps without notes and `active` ones with.

    Args:
      repeat: how many rounds there are; 0 is no end.
    """

    def __init__(self, *, wait, active, warmup=0, repeat=0, skip_first=0):
        given = {"wait": wait, "active": active, "warmup": warmup, "repeat": repeat, "skip_first": skip_first}
        for name, value in given.items():
            if isinstance(value, bool) or not isinstance(value, int) or value < (name == "active"):
                raise ValueError(f"For 'schedule', '{name}' must be an int of at least {int(name == 'active')}, but got {value!r}.")
        self._given = given

    def __call__(self, step):
        given, step = self._given, step - self._given["skip_first"]
        period = given["wait"] + given["warmup"] + given["active"]
        if step < 0 or given["repeat"] and step >= given["repeat"] * period:
            return ProfilerAction.NONE
        at = step % period
        if at < given["wait"]:
            return ProfilerAction.NONE
        if at < given["wait"] + given["warmup"]:
            return ProfilerAction.WARM_UP
        return ProfilerAction.RECORD_AND_SAVE if at == period - 1 else ProfilerAction.RECORD

    def to_dict(self):
        """The settings by name."""
        return dict(self._given)

    def __repr__(self):
        return f"Schedule({', '.join(f'{name}={value}' for name, value in self._given.items())})"
