"""SequentialCell and CellList."""

from collections import OrderedDict

from plumb.nn.cell import Cell


class SequentialCell(Cell):
    """Cells called one after another.

    Args:
      args: cells, one list of cells, or one OrderedDict of them.
    """

    def __init__(self, *args):
        super().__init__()
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            items = list(args[0].items())
        else:
            cells = args[0] if len(args) == 1 and isinstance(args[0], (list, tuple)) else args
            items = [(str(index), cell) for index, cell in enumerate(cells)]
        for name, cell in items:
            self._add(name, cell)
        self.cell_list = tuple(self._cells.values())

    def _add(self, name, cell):
        if not isinstance(cell, Cell):
            raise TypeError(f"For 'SequentialCell', every element must be a Cell, but got {type(cell).__name__}.")
        cell.update_parameters_name(name + ".")
        self._cells[name] = cell

    def append(self, cell):
        """Adds a cell at the end; returns the container."""
        self._add(str(len(self._cells)), cell)
        self.cell_list = tuple(self._cells.values())
        return self

    def __len__(self):
        return len(self._cells)

    def __getitem__(self, index):
        cells = list(self._cells.values())
        return SequentialCell(cells[index]) if isinstance(index, slice) else cells[index]

    def __iter__(self):
        return iter(self._cells.values())

    def construct(self, x):
        """Compiled body."""
        for cell in self.cell_list:
            x = cell(x)
        return x


class CellList(Cell):
    """A list of cells for `construct` to loop over; it cannot be called."""

    def __init__(self, *args, **kwargs):
        super().__init__(**kwargs)
        cells = args[0] if len(args) == 1 and isinstance(args[0], (list, tuple)) else args
        self.extend(cells)

    def append(self, cell):
        """Adds a cell at the end; returns the list."""
        if not isinstance(cell, Cell):
            raise TypeError(f"For 'CellList', every element must be a Cell, but got {type(cell).__name__}.")
        if self._auto_prefix:
            cell.update_parameters_name(str(len(self._cells)) + ".")
        self._cells[str(len(self._cells))] = cell
        return self

    def extend(self, cells):
        """Adds cells at the end; returns the list."""
        for cell in cells:
            self.append(cell)
        return self

    def __len__(self):
        return len(self._cells)

    def __getitem__(self, index):
        cells = list(self._cells.values())
        return CellList(cells[index]) if isinstance(index, slice) else cells[index]

    def __iter__(self):
        return iter(self._cells.values())

    def construct(self, *inputs):
        """A CellList is no function."""
        raise NotImplementedError("a CellList cannot be called; loop over it")
