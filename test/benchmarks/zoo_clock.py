"""What the scripts of section `zoo` for peers have in common: their arguments, and how they count steps per second."""

import argparse
import json
import time

import zoo_networks


def read_options(description, arguments, add_more=lambda parser: None):
    """The arguments of a script."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("name", choices=sorted(zoo_networks.NETWORKS))
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1.0)
    add_more(parser)
    return parser.parse_args(arguments)


def measure(step, seconds, clock, wait=lambda loss: None):
    """Steps per second: the median over runs of about a fifth of the time, and the best. `wait` ends when a loss is there."""
    begin = clock()
    wait(step())
    count, rates = max(1, int(seconds / 5 / (clock() - begin))), []
    while len(rates) < 3 or clock() - begin < seconds:
        start = clock()
        for _ in range(count):
            loss = step()
        wait(loss)
        rates.append(count / (clock() - start))
    return sorted(rates)[len(rates) // 2], max(rates)


def print_steps(step, options, wait=lambda loss: None):
    """Prints a line of JSON: steps per second, of processor time on one thread, and the first three losses."""
    losses = [float(step()) for _ in range(3)]
    median, best = measure(step, options.seconds, time.process_time if options.threads == 1 else time.perf_counter, wait)
    print(json.dumps({"steps_per_s": median, "steps_per_s_best": best, "losses": losses}))
