"""The figures as Markdown and as JSON."""

import dataclasses
import json
import math


def number(value):
    """Three to four digits of a figure."""
    if value is None or math.isnan(value):
        return "–"
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.4g}" if abs(value) >= 100 else f"{value:.3g}"


def line(row):
    """One row of a table."""
    share = f"{100 * row.share:.0f} %" if row.share is not None and not math.isnan(row.share) else ""
    ratio = f"{row.ratio:.2f}" if row.ratio is not None and not math.isnan(row.ratio) else ""
    return f"| {row.work} | {row.who} | {number(row.value)} | {number(row.best) if row.best is not None else ''} | {row.unit} | {share} | {ratio} | {row.note} |"


def markdown(facts, rows):
    """All tables, section by section."""
    lines = [f"Machine: {facts['cores']} cores, {facts['vectors']}; {facts['date']}, commit {facts['commit']}. "
             f"FMA peak of one core {number(facts['fma_peak_gflops'])} GFLOP/s"
             f" ({number(facts['fma_peak_avx2_gflops'])} with AVX2's vectors)."]
    for section in dict.fromkeys(row.section for row in rows):
        lines += ["", f"### {section}", "", "| work | who | median | best | unit | share of limit | plumb is faster by | |", "|---|---|---|---|---|---|---|---|"]
        lines += [line(row) for row in rows if row.section == section]
    return "\n".join(lines) + "\n"


def as_json(facts, rows, raw):
    """Everything that was measured."""
    return json.dumps({**facts, "rows": [dataclasses.asdict(row) for row in rows], "raw": raw}, indent=1) + "\n"
