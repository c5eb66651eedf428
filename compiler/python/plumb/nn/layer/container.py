"""SequentialCell, CellList and CellDict."""

from collections import OrderedDict
from collections.abc import Mapping

from plumb.nn.cell import Cell


class _Ordered(Cell):
    """Cells in an order, named by their positions: what lists of cells do."""

    def _checked(self, cell):
        if not isinstance(cell, Cell):
            raise TypeError(f"For '{type(self).__name__}', each cell must be subclass of Cell, but got {type(cell).__name__}.")
        return cell

    def _position(self, index, end=0):
        """A place in the list, counted from its start; with `end` 1 also the place behind the last."""
        if isinstance(index, bool) or not isinstance(index, int):
            raise TypeError(f"For '{type(self).__name__}', the type of 'index' must be int or slice, but got "
                            f"{type(index).__name__}.")
        if not -len(self) <= index < len(self) + end:
            raise IndexError(f"For '{type(self).__name__}', the value of 'index' must be a number in range [{-len(self)}, "
                             f"{len(self) + end}), but got {index}.")
        return index + len(self) if index < 0 else index

    def _replace(self, cells, names=None):
        """Takes the cells in place of those that are there, under their positions or under `names`."""
        names = [str(index) for index in range(len(cells))] if names is None else names
        before = {id(cell) for cell in self._cells.values()}
        self._cells.clear()
        for name, cell in zip(names, cells):
            if self._auto_prefix:
                _put_under(cell, f"{self._name_prefix}{name}.", id(cell) in before)
            self._cells[name] = cell
        self.__dict__["cell_list"] = tuple(self._cells.values())

    def _names_without(self, gone):
        """The names to keep when cells are taken out: None where they are positions, which move up."""
        names = list(self._cells)
        if names == [str(index) for index in range(len(names))]:
            return None
        return [name for index, name in enumerate(names) if index not in gone]

    def _part(self, index):
        """A container of some of the cells, which keep the names of their Parameters."""
        part = SequentialCell() if isinstance(self, SequentialCell) else CellList(auto_prefix=False)
        part.__dict__["_auto_prefix"] = False
        part._replace(list(self.cell_list)[index], list(self._cells)[index] if isinstance(self, SequentialCell) else None)
        return part

    def append(self, cell):
        """Adds a cell at the end; returns the container."""
        before = self._before_positions()
        name = str(len(self._cells))
        self._replace(list(self.cell_list) + [self._checked(cell)], list(self._cells) + [name])
        self._note_other_names(before, [name])
        return self

    def _before_positions(self):
        """What MindSpore puts before the position of a cell that is added.

        It looks for the first cell's position in the name of that cell's first Parameter, where the second cell has its own, too, or
        else the last such place. A list that was empty when it became an attribute has no prefix that could be found.
        """
        found = [(key, next((param for _, param in cell.parameters_and_names()), None)) for key, cell in self._cells.items()]
        (first, parts), (second, others) = ([(key, (param.other_name or param.name).split(".")) for key, param in found
                                             if param is not None] + [(None, [])] * 2)[:2]
        places = [place for place, part in enumerate(parts) if part == first]
        agreed = [place for place in places if others[place:place + 1] == [second]]
        place = agreed[0] if agreed else places[-1] if places else 0
        return "".join(part + "." for part in parts[:place])

    def _note_other_names(self, before, names):
        """Keeps the names that MindSpore gives to Parameters of added cells, by which its checkpoints have them."""
        for name in names if self._auto_prefix else ():
            for below, param in self._cells[name].parameters_and_names():
                param.other_name = f"{before}{name}.{below}"

    def __len__(self):
        return len(self._cells)

    def __iter__(self):
        return iter(self.cell_list)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return self._part(index)
        if isinstance(index, str):
            return self._cells[index]
        return self.cell_list[self._position(index)]

    def __setitem__(self, index, cell):
        cells = list(self.cell_list)
        cells[self._position(index)] = self._checked(cell)
        self._replace(cells, list(self._cells))

    def __delitem__(self, index):
        gone = set(range(len(self))[index]) if isinstance(index, slice) else {self._position(index)}
        names = self._names_without(gone)
        self._replace([cell for place, cell in enumerate(self.cell_list) if place not in gone], names)


class SequentialCell(_Ordered):
    """Cells called one after another.

    Args:
      args: cells, one list of cells, or one OrderedDict of them.
    """

    def __init__(self, *args):
        super().__init__()
        self.cell_list = ()
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            names, cells = list(args[0]), list(args[0].values())
        else:
            names, cells = None, list(args[0]) if len(args) == 1 and isinstance(args[0], (list, tuple)) else list(args)
        self._replace([self._checked(cell) for cell in cells], names)

    def construct(self, input_data):
        """Compiled body."""
        for cell in self.cell_list:
            input_data = cell(input_data)
        return input_data


class CellList(_Ordered):
    """A list of cells for `construct` to loop over; it cannot be called."""

    def __init__(self, *args, **kwargs):
        super().__init__(kwargs.pop("auto_prefix", True))
        if kwargs:
            raise TypeError(f"CellList() got an unexpected argument '{next(iter(kwargs))}'")
        self.cell_list = ()
        self.extend(args[0] if len(args) == 1 and isinstance(args[0], (list, tuple, CellList)) else args)

    def extend(self, cells):
        """Adds cells at the end; returns the list."""
        if not isinstance(cells, (list, tuple, CellList)):
            raise TypeError(f"For 'CellList', the cells to add must be a list of them, but got {type(cells).__name__}.")
        before, there = self._before_positions(), len(self)
        self._replace(list(self.cell_list) + [self._checked(cell) for cell in cells])
        self._note_other_names(before, list(self._cells)[there:])
        return self

    def insert(self, index, cell):
        """Puts a cell before the one at `index`, or at the end."""
        place, cells = self._position(index, 1), list(self.cell_list)
        cells.insert(place, self._checked(cell))
        self._replace(cells)

    def __iadd__(self, cells):
        return self.extend(cells)

    def construct(self, *inputs):
        """A CellList is no function."""
        raise NotImplementedError("a CellList cannot be called; loop over it")


class CellDict(Cell):
    """Cells by name, for `construct` to pick from; it cannot be called.

    Args:
      args: nothing, or one dict of cells, or pairs of names and cells.
    """

    def __init__(self, *args, auto_prefix=True):
        super().__init__(auto_prefix)
        if len(args) > 1:
            raise TypeError(f"For 'CellDict', there is at most one argument, but got {len(args)}.")
        self.update(args[0] if args else {})

    def __setitem__(self, key, cell):
        if not isinstance(key, str) or not key or "." in key:
            raise KeyError(f"For 'CellDict', a key must be a string without '.', but got {key!r}.")
        if hasattr(self, key) and key not in self._cells:
            raise KeyError(f"For 'CellDict', the key '{key}' is the name of an attribute.")
        if not isinstance(cell, Cell):
            raise TypeError(f"For 'CellDict', each value must be a Cell, but got {type(cell).__name__}.")
        if self._auto_prefix:
            _put_under(cell, f"{self._name_prefix}{key}.", False)
        self._cells[key] = cell

    def __getitem__(self, key):
        return self._cells[key]

    def __delitem__(self, key):
        del self._cells[key]

    def __len__(self):
        return len(self._cells)

    def __iter__(self):
        return iter(self._cells)

    def __contains__(self, key):
        return key in self._cells

    def keys(self):
        """The names."""
        return self._cells.keys()

    def values(self):
        """The cells."""
        return self._cells.values()

    def items(self):
        """Names and cells."""
        return self._cells.items()

    def clear(self):
        """Takes all cells out."""
        self._cells.clear()

    def pop(self, key):
        """Takes a cell out and returns it."""
        return self._cells.pop(key)

    def update(self, cells):
        """Adds cells from a dict, another CellDict, or pairs of names and cells."""
        for key, cell in cells.items() if isinstance(cells, (Mapping, CellDict)) else cells:
            self[key] = cell

    def construct(self, *inputs):
        """A CellDict is no function."""
        raise NotImplementedError("a CellDict cannot be called; call one of its cells")


def _put_under(cell, prefix, is_there):
    """Puts `prefix` before the names of a cell's parameters, in place of the one that it has there already."""
    if not is_there or not cell._name_prefix:
        cell.update_parameters_name(prefix)
        return
    before = cell._name_prefix
    if before == prefix:
        return
    for parameter in cell.get_parameters():
        if parameter.name.startswith(before):
            parameter.name = prefix + parameter.name[len(before):]
    for _, below in cell.cells_and_names():
        if below._name_prefix.startswith(before):
            below.__dict__["_name_prefix"] = prefix + below._name_prefix[len(before):]
