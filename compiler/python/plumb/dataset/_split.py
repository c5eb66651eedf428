"""Datasets cut into parts: `Dataset.split`."""

import numpy as np

from plumb.dataset import _host, _nodes, samplers
from plumb.dataset.generator import IndexedDataset


def split(dataset, sizes, randomize):
    """Returns one dataset for each of `sizes`: numbers of rows that sum up to all of them, or shares that sum up to 1."""
    rows = dataset.get_dataset_size()
    sizes = _row_counts(list(sizes), rows)
    if not isinstance(dataset, IndexedDataset):
        # Rows that came in another order in each pass would wander from part to part.
        source = _nodes.FirstPass(dataset)
        if randomize:
            source = _nodes.Shuffled(source, {"buffer_size": rows}, fixed=True)
        starts = np.cumsum([0] + sizes)
        return [_nodes.Taken(_nodes.Skipped(source, int(start)), {"count": size}) for start, size in zip(starts, sizes)]
    order = list(dataset.first_order())
    if randomize:
        np.random.default_rng(_host.seed_of("split")).shuffle(order)
    ends = np.cumsum(sizes)
    return [dataset.with_sampler(samplers.SubsetSampler(order[end - size:end])) for end, size in zip(ends, sizes)]


def _row_counts(sizes, rows):
    """Sizes in rows. Shares are rounded; what is missing or too much then goes to the first parts that have room."""
    if not sizes:
        raise ValueError("sizes cannot be empty.")
    if all(isinstance(size, int) and not isinstance(size, bool) for size in sizes):
        if min(sizes) <= 0 or sum(sizes) != rows:
            raise ValueError(f"Sum of split sizes {sum(sizes)} is not equal to dataset size {rows}.")
        return sizes
    if not all(isinstance(size, float) and 0 < size <= 1 for size in sizes) or abs(sum(sizes) - 1) > 1e-9:
        raise ValueError(f"sizes should be positive ints that sum up to {rows}, or floats that sum up to 1, but got {sizes}.")
    counts = [round(size * rows) for size in sizes]
    missing = rows - sum(counts)
    for i in range(len(counts)):
        step = missing if missing > 0 else max(missing, 1 - counts[i])
        counts[i], missing = counts[i] + step, missing - step
    if min(counts) <= 0:
        raise ValueError(f"The shares {sizes} of {rows} rows leave a part without rows.")
    return counts
