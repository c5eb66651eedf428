"""Contestants side by side: every round runs each once, so that a change of the machine's speed meets all of them."""

import dataclasses
import statistics


@dataclasses.dataclass
class Row:
    """One measured figure."""

    section: str
    work: str
    who: str
    value: float
    unit: str
    best: float = None
    ratio: float = None  # Plumb's speed over this one's
    share: float = None  # of the limit that the section names
    note: str = ""


class Contestant:
    """Something that measures itself: `measure` returns its speed, or None when it cannot run."""

    def __init__(self, name, measure):
        self.name, self.measure = name, measure


def run_rounds(contestants, rounds):
    """Returns a list of speeds by contestant's name; who fails once is out."""
    results = {contestant.name: [] for contestant in contestants}
    for _ in range(rounds):
        for contestant in contestants:
            if contestant.name not in results:
                continue
            speed = contestant.measure()
            if speed is None:
                del results[contestant.name]
            else:
                results[contestant.name].append(speed)
    return results


def ratio_of(ours, theirs):
    """The median of the rounds' ratios, or None without ours."""
    return statistics.median(mine / other for mine, other in zip(ours, theirs)) if ours else None


def make_rows(section, work, unit, results, limit=None, reference="plumb"):
    """One row per contestant. `limit` is in the same unit."""
    ours = results.get(reference)
    rows = []
    for name, speeds in results.items():
        value = statistics.median(speeds)
        rows.append(Row(section, work, name, value, unit, best=max(speeds),
                        ratio=ratio_of(ours, speeds) if name != reference else None,
                        share=value / limit if limit else None))
    return rows
