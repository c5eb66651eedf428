"""The operations that layers have by name, as MindSpore's do: programs say of them how devices share them, or call them."""


class Operation:
    """An attribute of a class of cells that is made where it is read. A cell's own attribute, child or Parameter of this name goes
    before it.

    Args:
      name: the attribute's name.
      made_by: gives the operation of a cell.
    """

    def __init__(self, name, made_by):
        self._name, self._made_by = name, made_by

    def __get__(self, cell, owner=None):
        if cell is None:
            return self
        for held in (cell.__dict__.get("_cells", {}), cell.__dict__.get("_params", {})):
            if held.get(self._name) is not None:
                return held[self._name]
        return self._made_by(cell)
