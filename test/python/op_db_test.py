"""Operators of PyTorch's op_db on its own sample inputs: what the scoreboard `op_db.tsv` says is right is right.

Run as a test, a drawn part of the rows that say ok is run again. By hand:

  op_db_test.py --all             all operators of the table; fails where a row that says ok is not
  op_db_test.py --all --update    writes the scoreboard, too; a row that would get worse needs --force
  op_db_test.py --only NAME …     these operators, with the lines that explain what is not ok

  op_db_test.py --complex         of complex numbers only; with --update, the other rows stay

A row: the operator, with `@complex64` where it is run with complex numbers; the state of its values, and of its gradients; how many samples agreed; why not, of the first that did
not. The states are `op_db_run.STATES`: `partly` has samples that are refused, `absent` has no function of ours.
"""

import argparse
import concurrent.futures.process
import functools
import multiprocessing
import os
import random
import sys
import unittest

import torch

import op_db_run
import op_db_table

BOARD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "op_db.tsv")
DRAWN = 50
GROUP = 20  # operators of one process
LONGEST_REASON = 120
COMPLEX = "@complex64"

database = functools.lru_cache(maxsize=None)(op_db_run.database)
table = functools.lru_cache(maxsize=None)(op_db_table.table)


def read_board():
    """The rows of the scoreboard by the operator's name."""
    if not os.path.exists(BOARD):
        return {}
    with open(BOARD, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    return {row[0]: row[1:] for row in rows}


def write_board(rows):
    """Writes the scoreboard in the order of names."""
    right = [sum(row[i] == "ok" for name, row in rows.items() if not name.endswith(COMPLEX)) for i in (0, 1)]
    of_complex = [sum(row[i] == "ok" for name, row in rows.items() if name.endswith(COMPLEX)) for i in (0, 1)]
    with open(BOARD, "w", encoding="utf-8") as file:
        file.write(f"# PyTorch's op_db beside ours: {right[0]} operators with right values, {right[1]} with right gradients; "
                   f"of complex numbers {of_complex[0]} and {of_complex[1]}.\n")
        file.write("# Written by op_db_test.py --all --update. Operator, values, gradients, samples that agree, why not.\n")
        file.writelines("\t".join([name, *rows[name]]).rstrip() + "\n" for name in sorted(rows))


def complex_rows():
    """The names of the rows of complex numbers: of operators that have a function of ours and take such."""
    return [name + COMPLEX for name in database() if name in table() and torch.complex64 in database()[name].dtypes]


def examined(name):
    """(name, row of the scoreboard, lines that explain) of an operator."""
    plain = name.removesuffix(COMPLEX)
    entry = table().get(plain)
    if entry is None:
        return name, ["absent", "absent", "0"], []
    forward, gradient, agreed, lines = op_db_run.row(database()[plain], entry, [torch.complex64] if name != plain else None)
    right = forward == "ok" and gradient in ("ok", "none")
    reason = lines[0].split(" error: ")[-1][:LONGEST_REASON] if lines and not right else ""
    return name, [forward, gradient, str(agreed), reason.replace("\t", " ")], lines


def alone(names):
    """The results of `examined` from another process; where that dies, each from one of its own."""
    try:
        with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
            return list(pool.map(examined, names))
    except concurrent.futures.process.BrokenProcessPool:
        if len(names) > 1:
            return [result for name in names for result in alone([name])]
        return [(names[0], ["crashed", "crashed", "0", "the process dies"], ["the process dies"])]


def examined_all(names, jobs):
    """The results of `examined`, from several processes."""
    groups = [names[i::max(1, len(names) // GROUP)] for i in range(max(1, len(names) // GROUP))]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for future in concurrent.futures.as_completed([pool.submit(alone, group) for group in groups]):
            yield from future.result()


def worse(old, new):
    """Whether a row of the scoreboard has lost a state."""
    return any(op_db_run.STATES.index(new[i]) > op_db_run.STATES.index(old[i]) and old[i] in ("ok", "partly") for i in (0, 1))


class OpDb(unittest.TestCase):
    """The rows that say ok."""

    def test_drawn_rows(self):
        right = sorted(name for name, row in read_board().items() if row[0] == "ok")
        for name in random.Random(os.environ.get("PLUMB_OP_DB_SEED", "0")).sample(right, DRAWN):
            with self.subTest(name):
                old = read_board()[name]
                _, new, lines = examined(name)
                self.assertFalse(worse(old, new), f"{old[:2]} became {new[:2]}: {lines[:3]}")

    def test_every_entry_has_a_row(self):
        rows = read_board()
        self.assertEqual([], sorted(set(table()) - set(database())), "no operators of op_db")
        self.assertEqual([], [name for name in table() if name not in rows or rows[name][0] == "absent"], "run --all --update")
        self.assertEqual([], [name for name in complex_rows() if name not in rows], "run --complex --update")


def options():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--all", action="store_true", help="run every operator of the table")
    parser.add_argument("--complex", action="store_true", help="run the rows of complex numbers")
    parser.add_argument("--update", action="store_true", help="write the scoreboard")
    parser.add_argument("--force", action="store_true", help="let rows get worse")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="run these operators")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    return parser.parse_args()


def main():
    """Runs operators by hand."""
    chosen = options()
    unknown = {name.removesuffix(COMPLEX) for name in chosen.only} - set(database())
    if unknown:
        sys.exit(f"op_db has no {sorted(unknown)}")
    board, lost = read_board(), []
    rows = dict(board)
    names = chosen.only or sorted(complex_rows() + ([] if chosen.complex else list(database())))
    for name, row, lines in examined_all(names, chosen.jobs):
        if chosen.only or row[0] not in ("ok", "absent") or row[1] not in ("ok", "none", "absent"):
            print("\t".join([name, *row[:3]]), *lines[:None if chosen.only else 2], sep="\n    ", flush=True)
        if name in board and worse(board[name], row):
            lost.append(name)
        rows[name] = row
    print("values right:", sum(row[0] == "ok" for row in rows.values()), " gradients right:", sum(row[1] == "ok" for row in rows.values()))
    if lost:
        print("worse than the scoreboard:", *lost)
    if chosen.update and (not lost or chosen.force):
        write_board(rows)
    return 1 if lost and not chosen.force else 0


if __name__ == "__main__":
    sys.exit(main()) if set(sys.argv) & {"--all", "--complex", "--only"} else unittest.main()
