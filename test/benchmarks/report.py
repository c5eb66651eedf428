"""The figures as Markdown and as JSON."""

import dataclasses
import json
import math


def number(value):
    """Three to four digits of a figure."""
    if value is None or math.isnan(value):
        return "–"
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.4g}" if abs(value) >= 100 else f"{value:.3g}"


def percent(share):
    """`50 %`; nothing where it is not known."""
    return f"{100 * share:.0f} %" if share is not None and not math.isnan(share) else ""


def line(row):
    """One row of a table."""
    ratio = f"{row.ratio:.2f}" if row.ratio is not None and not math.isnan(row.ratio) else ""
    return f"| {row.work} | {row.who} | {number(row.value)} | {number(row.best) if row.best is not None else ''} | {row.unit} | {percent(row.share)} | {ratio} | {row.note} |"


def summary(rows):
    """Lines that set Plumb beside the best peer of each workload, in the sections of steps."""
    lines = []
    for row in rows:
        if row.who != "plumb" or not row.section.startswith("steps"):
            continue
        peers = [other for other in rows if (other.section, other.work) == (row.section, row.work) and other is not row]
        if peers:
            best = max(peers, key=lambda peer: peer.value)
            lines.append(f"| {row.section} | {row.work} | {number(row.value)} | {percent(row.share)} | {best.who} | {percent(best.share)} "
                         f"| {number(best.ratio)} |")
    title = ["", "### best peers", "", "| section | work | plumb, steps/s | of limit | best peer | of limit | plumb is faster by |",
             "|---|---|---|---|---|---|---|"]
    return title + lines if lines else []


def markdown(facts, rows):
    """All tables, section by section."""
    lines = [f"Machine: {facts['cores']} cores, {facts['vectors']}; {facts['date']}, commit {facts['commit']}. "
             f"FMA peak of one core {number(facts['fma_peak_gflops'])} GFLOP/s"
             f" ({number(facts['fma_peak_avx2_gflops'])} with AVX2's vectors) at the clock of work that is fed from the cache,"
             f" {number(facts['fma_alone_gflops'])} on registers alone.", *summary(rows)]
    for section in dict.fromkeys(row.section for row in rows):
        lines += ["", f"### {section}", "", "| work | who | median | best | unit | share of limit | plumb is faster by | |", "|---|---|---|---|---|---|---|---|"]
        lines += [line(row) for row in rows if row.section == section]
    return "\n".join(lines) + "\n"


def as_json(facts, rows, raw):
    """Everything that was measured."""
    return json.dumps({**facts, "rows": [dataclasses.asdict(row) for row in rows], "raw": raw}, indent=1) + "\n"
