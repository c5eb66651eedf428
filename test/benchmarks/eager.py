"""Eager mode: how long a first call takes, and what a repeated one costs beside PyTorch and NumPy.

    tools/python test/benchmarks/eager.py [--rounds N]

First calls are medians over operations and networks that the process has not seen: compiled, and loaded from the cache that
an earlier process has filled. Repeated calls are the fastest of some rounds, ours and the peers' in turn. Times are of one
thread; nothing else should run on the machine.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np


def first_calls():
    """Prints milliseconds of first calls: of an operation, of a network of two layers, of a large one at another length."""
    import plumb
    from plumb import nn, ops
    x = plumb.Tensor(np.random.default_rng(0).standard_normal((32, 64)).astype(np.float32))
    x + x  # loads what every call needs
    operations = [ops.tanh, ops.exp, ops.neg, ops.sqrt, ops.sigmoid, ops.relu, ops.sin, ops.floor]
    networks = [nn.SequentialCell(nn.Dense(64, width), nn.ReLU(), nn.Dense(width, 10)) for width in (32, 48, 96)]
    for calls in (operations, networks):
        print(statistics.median(_milliseconds(call, x) for call in calls))
    language = nn.SequentialCell(nn.Embedding(50000, 256), nn.Dense(256, 256), nn.Dense(256, 50000))
    for parameter in language.get_parameters():  # as load_checkpoint does
        parameter.set_data(plumb.Tensor(np.full(parameter.shape, 0.02, np.float32) * np.arange(parameter.shape[-1], dtype=np.float32)))
    lengths = [plumb.Tensor(np.arange(length, dtype=np.int32)[None]) for length in (8, 9, 10, 11)]
    language(lengths[0])
    print(statistics.median(_milliseconds(language, words) for words in lengths[1:]))


def _milliseconds(call, x):
    begin = time.perf_counter()
    call(x).asnumpy()
    return 1e3 * (time.perf_counter() - begin)


def _first_calls_in_a_process(cache):
    ran = subprocess.run([sys.executable, os.path.abspath(__file__), "--first-calls"], env={**os.environ, "PLUMB_CACHE": cache},
                         capture_output=True, text=True, check=True)
    return [float(line) for line in ran.stdout.split()]


def _contestants():
    import plumb
    from plumb import nn
    a, b = (np.random.default_rng(seed).standard_normal((32, 64)).astype(np.float32) for seed in (1, 2))
    x, y = plumb.Tensor(a), plumb.Tensor(b)
    net = nn.SequentialCell(nn.Dense(64, 32), nn.ReLU(), nn.Dense(32, 10))
    found = {"x + y": {"plumb": lambda: x + y, "NumPy": lambda: a + b}, "network": {"plumb": lambda: net(x)}}
    try:
        import torch
    except ImportError:
        return found
    torch.set_num_threads(1)
    s, t = torch.from_numpy(a), torch.from_numpy(b)
    peer = torch.nn.Sequential(torch.nn.Linear(64, 32), torch.nn.ReLU(), torch.nn.Linear(32, 10))
    found["x + y"]["PyTorch"] = lambda: s + t
    found["network"]["PyTorch"] = lambda: peer(s)
    return found


def repeated_calls(rounds):
    """Returns microseconds by row and by who."""
    rows = _contestants()
    times = {row: {who: [] for who in calls} for row, calls in rows.items()}
    for _ in range(rounds):
        for row, calls in rows.items():
            for who, call in calls.items():
                times[row][who].append(_microseconds(call, 2000))
    return {row: {who: min(found) for who, found in table.items()} for row, table in times.items()}


def _microseconds(call, count):
    call()
    begin = time.perf_counter()
    for _ in range(count):
        call()
    return 1e6 * (time.perf_counter() - begin) / count


def main():
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=10, help="rounds of repeated calls")
    parser.add_argument("--first-calls", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.first_calls:
        first_calls()
        return
    with tempfile.TemporaryDirectory() as folder:
        compiled, loaded = _first_calls_in_a_process(folder), _first_calls_in_a_process(folder)
    for what, slow, quick in zip(("operation", "network", "another length, 26 M loaded weights"), compiled, loaded):
        print(f"first call of {what:35} compiled {slow:6.1f} ms   from the cache {quick:6.1f} ms")
    for row, times in repeated_calls(options.rounds).items():
        print(f"repeated {row:15} " + "   ".join(f"{who} {value:6.1f} us" for who, value in times.items()))


if __name__ == "__main__":
    main()
