"""`state_dict`, `load_state_dict` and buffers: a network's values by their places in it, as MindSpore 2.6 and later have them."""

import collections

from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor

_EXTRA = "_extra_state"
_INCOMPATIBLE = collections.namedtuple("IncompatibleKeys", "missing_keys unexpected_keys")


class IncompatibleKeys(_INCOMPATIBLE):
    """The names that a dict lacked, and those that a network has no place for."""

    __slots__ = ()

    def __repr__(self):
        return super().__repr__() if any(self) else "<All keys matched successfully>"


class CellStateDict:
    """Members of Cell that hold and give its state.

    A buffer is a Tensor that belongs to the state of a cell and is not trained. Compiled functions hold it as a constant, as every
    Tensor that is an attribute: one that is to change while they run is a Parameter with `requires_grad=False`.
    """

    def register_buffer(self, name, tensor, persistent=True):
        """Makes a tensor, or None for one to come, an attribute that is part of the state.

        Args:
          persistent: whether `state_dict` holds it.
        """
        if not isinstance(name, str):
            raise TypeError(f"For 'register_buffer', the name of a buffer must be a str, but got {type(name).__name__}.")
        if not name or "." in name:
            raise KeyError(f"For 'register_buffer', the name of a buffer must be a name without '.', but got {name!r}.")
        if hasattr(self, name) and name not in self._buffer_kinds():
            raise KeyError(f"For 'register_buffer', the cell has an attribute '{name}' already.")
        if tensor is not None and (not isinstance(tensor, Tensor) or isinstance(tensor, Parameter)):
            raise TypeError(f"For 'register_buffer', the buffer '{name}' must be a Tensor or None, but got {type(tensor).__name__}.")
        setattr(self, name, tensor)
        self.__dict__.setdefault("_buffer_names", {})[name] = bool(persistent)

    def _buffer_kinds(self):
        """Whether each buffer is persistent, by the names of those that are still there."""
        return {name: kept for name, kept in self.__dict__.get("_buffer_names", {}).items() if name in self.__dict__}

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
        """Yields (dotted name, buffer) of this cell and, with `recurse`, of all below it.

        Args:
          remove_duplicate: whether a tensor that stands at several places comes once.
        """
        seen = set()
        for place, cell in self.cells_and_names(name_prefix=prefix) if recurse else [(prefix, self)]:
            for name in cell._buffer_kinds():
                tensor = cell.__dict__[name]
                if tensor is None or remove_duplicate and id(tensor) in seen:
                    continue
                seen.add(id(tensor))
                yield (f"{place}.{name}" if place else name), tensor

    def buffers(self, recurse=True):
        """Yields the buffers."""
        for _, tensor in self.named_buffers(recurse=recurse):
            yield tensor

    def get_sub_cell(self, target):
        """Returns the cell at a dotted name; the empty one is this cell's."""
        cell = self
        for name in target.split(".") if target else ():
            if name not in cell._cells:
                raise AttributeError(f"{type(cell).__name__} has no cell '{name}'.")
            cell = cell._cells[name]
        return cell

    def get_buffer(self, target):
        """Returns the buffer at a dotted name."""
        place, _, name = target.rpartition(".")
        cell = self.get_sub_cell(place)
        if name not in cell._buffer_kinds():
            raise AttributeError(f"{type(cell).__name__} has no buffer '{name}'.")
        return cell.__dict__[name]

    def get_extra_state(self):
        """What subclasses want kept beside Parameters and buffers; those that define it define `set_extra_state`, too."""
        raise RuntimeError(f"'{type(self).__name__}' has no extra state.")

    def set_extra_state(self, state):
        """Takes over what `get_extra_state` gave."""
        raise RuntimeError(f"'{type(self).__name__}' has no place for an extra state: define 'set_extra_state'.")

    # -- the whole state

    def state_dict(self, *args, destination=None, prefix="", keep_vars=False):
        """Returns Parameters and persistent buffers, the objects themselves, by their dotted names.

        Args:
          destination: a dict to add them to.
          prefix: what the names begin with.
          keep_vars: True or False: the values are the network's own either way.
        """
        destination, prefix, _ = (*args, *(destination, prefix, keep_vars)[len(args):])
        destination = collections.OrderedDict() if destination is None else destination
        for hook in self._state_hooks("before saving"):
            hook(self, prefix, keep_vars)
        for name, value in self._own_state().items():
            destination[prefix + name] = value
        for name, cell in self._cells.items():
            cell.state_dict(destination=destination, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
        for hook in self._state_hooks("after saving"):
            hook(self, destination, prefix, {})
        return destination

    def _own_state(self):
        """This cell's own values by name."""
        values = {name: parameter for name, parameter in self._own_parameters() if parameter is not None and not parameter.is_internal}
        values.update((name, self.__dict__[name]) for name, kept in self._buffer_kinds().items()
                      if kept and self.__dict__[name] is not None)
        if type(self).get_extra_state is not CellStateDict.get_extra_state:
            values[_EXTRA] = self.get_extra_state()
        return values

    def load_state_dict(self, state_dict, strict=True):
        """Takes over values by their dotted names; returns the names that were missing, and those that have no place.

        Args:
          strict: whether such names are an error.

        Raises:
          TypeError: if `state_dict` is no dict.
          RuntimeError: if the shape of a value is another, or names do not fit and `strict` is set.
        """
        if not isinstance(state_dict, collections.abc.Mapping):
            raise TypeError(f"For 'load_state_dict', the 'state_dict' must be a dict, but got {type(state_dict).__name__}.")
        given, missing, known, problems = dict(state_dict), [], set(), []
        self._load_state(given, "", strict, missing, known, problems)
        found = IncompatibleKeys(missing, [name for name in given if name not in known])
        if strict and found.unexpected_keys:
            problems.append(f"unexpected names: {', '.join(found.unexpected_keys)}")
        if strict and missing:
            problems.append(f"missing names: {', '.join(missing)}")
        for hook in self._state_hooks("after loading"):
            hook(self, found)
        if problems:
            raise RuntimeError(f"For 'load_state_dict' of {type(self).__name__}: {'; '.join(problems)}.")
        return found

    def _load_state(self, given, prefix, strict, missing, known, problems):
        for hook in self._state_hooks("before loading"):
            hook(self, given, prefix, {}, strict, missing, [], problems)
        for name, value in self._own_state().items():
            place = prefix + name
            known.add(place)
            if place not in given:
                missing.append(place)
            elif name == _EXTRA:
                self.set_extra_state(given[place])
            elif given[place].shape != value.shape:
                problems.append(f"'{place}' has the shape {tuple(given[place].shape)} there, and {value.shape} in the network")
            elif isinstance(value, Parameter):
                value.set_data(given[place])
            else:
                self.__dict__[name] = Tensor(given[place].asnumpy().copy(), value.dtype)
        for name, cell in self._cells.items():
            cell._load_state(given, f"{prefix}{name}.", strict, missing, known, problems)

    # -- hooks

    def _state_hooks(self, when):
        return list(self.__dict__.get("_hooks_of_state", {}).get(when, ()))

    def _add_state_hook(self, when, hook):
        hooks = self.__dict__.setdefault("_hooks_of_state", {}).setdefault(when, [])
        hooks.append(hook)
        return _Handle(hooks, hook)

    def register_state_dict_pre_hook(self, hook):
        """Has `hook(cell, prefix, keep_vars)` called before `state_dict` reads this cell; returns a handle with `remove()`."""
        return self._add_state_hook("before saving", hook)

    def register_state_dict_post_hook(self, hook):
        """Has `hook(cell, state_dict, prefix, local_metadata)` called after `state_dict` has read this cell and those below."""
        return self._add_state_hook("after saving", hook)

    def register_load_state_dict_pre_hook(self, hook):
        """Has `hook(cell, state_dict, prefix, local_metadata, strict, missing, unexpected, errors)` called before this cell loads."""
        return self._add_state_hook("before loading", hook)

    def register_load_state_dict_post_hook(self, hook):
        """Has `hook(cell, incompatible_keys)` called when `load_state_dict` of this cell ends."""
        return self._add_state_hook("after loading", hook)


class _Handle:
    """Takes a hook away again."""

    def __init__(self, hooks, hook):
        self._hooks, self._hook = hooks, hook

    def remove(self):
        """Takes it away; once more does nothing."""
        if self._hook in self._hooks:
            self._hooks.remove(self._hook)
