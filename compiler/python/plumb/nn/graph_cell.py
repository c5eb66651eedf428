"""GraphCell: a cell made of a network that `load` has read from a file."""

import numpy as np

from plumb.common._offers import only_defaults
from plumb.common.tensor import Tensor
from plumb.nn.cell import Cell


def _filled(item, outputs):
    """The structure of a result, made of its outputs."""
    if "x" in item:
        return outputs[item["x"]]
    return tuple(_filled(part, outputs) for part in item["t"]) if "t" in item else [_filled(part, outputs) for part in item["list"]]


class GraphCell(Cell):
    """Runs a network that `export` has written and `load` has read, on inputs of the shapes it was exported for.

    It is called from plain Python; within compiled functions it is refused. Its Parameters are those of the file: setting one
    changes what the cell computes.

    Args:
      graph: what `load` returned.
      params_init: Tensors by Parameter's name that take the places of the file's values.
    """

    def __init__(self, graph, params_init=None, obf_random_seed=None):
        from plumb.train.mindir import Graph
        only_defaults("GraphCell", obf_random_seed=(obf_random_seed, None))
        if not isinstance(graph, Graph):
            raise TypeError(f"For 'GraphCell', the argument 'graph' must be what 'load' returns, but got {type(graph).__name__}.")
        super().__init__(auto_prefix=True)
        self.graph, self._run = graph, None
        own = {parameter.name: parameter for parameter in graph.parameters.values()}
        for name, value in (params_init or {}).items():
            if not isinstance(value, Tensor):
                raise TypeError(f"For 'GraphCell', the value of '{name}' in 'params_init' must be a Tensor or Parameter, but got "
                                f"{type(value).__name__}.")
            if name not in own:
                raise ValueError(f"For 'GraphCell', 'params_init' names '{name}', but there are {', '.join(own) or 'none'}.")
            own[name].set_data(value)
        for name, parameter in own.items():
            self._params[name] = parameter

    def construct(self, *inputs):
        """Compiled bodies cannot hold what is compiled already."""
        raise NotImplementedError("a GraphCell is called from plain Python, not within a compiled function")

    def __call__(self, *inputs, **kwargs):
        if kwargs or len(inputs) != len(self.graph.inputs):
            raise TypeError(f"The network takes {len(self.graph.inputs)} inputs by position, but got {len(inputs)}"
                            f"{' and ' + ', '.join(kwargs) if kwargs else ''}.")
        arrays = [self._array(number, value, *kind) for number, (value, kind) in enumerate(zip(inputs, self.graph.inputs))]
        if self._run is None:
            from plumb._graph_run import GraphRun
            self.__dict__["_run"] = GraphRun(self.graph)
        outputs = self._run.call(arrays)
        return _filled(self.graph.result, outputs if isinstance(outputs, tuple) else (outputs,))

    @staticmethod
    def _array(number, value, shape, dtype):
        if not isinstance(value, Tensor):
            raise TypeError(f"Input {number} must be a Tensor, but got {type(value).__name__}.")
        if tuple(value.shape) != shape or value.dtype != dtype:
            raise ValueError(f"Input {number} must be {dtype} of the shape {list(shape)}, for which the network was exported, but got "
                             f"{value.dtype} of {list(value.shape)}.")
        return np.ascontiguousarray(value.asnumpy()).reshape(shape)

    def extend_repr(self):
        """What `repr` shows."""
        return repr(self.graph)
