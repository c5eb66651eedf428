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


def leaders(results, share, reference="plumb"):
    """Names of those whose median speed is at least `share` of the best peer's; the reference is one whatever its speed."""
    medians = {name: statistics.median(speeds) for name, speeds in results.items()}
    best = max((speed for name, speed in medians.items() if name != reference), default=0)
    return {name for name, speed in medians.items() if name == reference or speed >= share * best}


def run_rounds(contestants, rounds, share=0):
    """Returns a list of speeds by contestant's name. Who fails once is out; who is no leader, by `share`, runs no further round."""
    results = {contestant.name: [] for contestant in contestants}
    for _ in range(rounds):
        for contestant in contestants:
            results[contestant.name].append(contestant.measure())
        results = {name: speeds for name, speeds in results.items() if None not in speeds}
        contestants = [contestant for contestant in contestants if contestant.name in leaders(results, share)]
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
