"""Cells that compute in an element type of their own (`Cell.to_float`): what their functions convert where they read it.

As in MindSpore's graph mode that is what `construct` is given, trained Parameters, tensors that a program holds by a name or an
attribute, and Parameters that are not trained where they are operands. What the function computes keeps its type, and so do the
items of containers.
"""

import ast

from plumb._parse import text
from plumb.common.dtype import float_type
from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor
from plumb.nn._mixed import in_type
from plumb.nn.cell import Cell


class ElementTypes:
    """Mixin of FunctionPrinter; see the file's head."""

    def _float_type(self):
        """The element type that the cell of this method computes in, or None."""
        return self.bound_self._float_type if isinstance(self.bound_self, Cell) else None

    def _is_construct(self):
        return self.function is not None and self.function.__name__ == "construct"

    def _convert_inputs(self):
        """Converts what `construct` is given, in a cell that has an element type of its own."""
        if self._float_type() is None or not self._is_construct():
            return
        takes_self = self.node.args.posonlyargs + self.node.args.args  # else it is the first of `*args`, as in a decorator's function
        for name in self.argument_names[1 if takes_self else 0:]:
            value = self.emit(f"net.python.load {text.string(name)}", self.node)
            self.store(name, self._in_type(value, self._float_type(), self.node), self.node)

    def converted_result(self, value, node):
        """`value`, which `construct` returns, converted if the cell's results have a type of their own."""
        result_type = self.bound_self._result_type if isinstance(self.bound_self, Cell) else None
        return value if result_type is None or not self._is_construct() else self._in_type(value, result_type, node)

    def converted(self, node, value):
        """`value`, which is what the name or attribute `node` stands for, converted if it is a trained Parameter or held tensor."""
        converts = self._float_type() is not None and (_is_trained(self._own_parameter(node)) or self._is_held_tensor(node))
        return self._in_type(value, self._float_type(), node) if converts else value

    def operand(self, node):
        """Prints an operand; Parameters that are not trained are converted here, as no statement that writes them reads them so."""
        value, parameter = self.expression(node), self._own_parameter(node)
        converts = self._of_program() and _is_of_floats(parameter) and not parameter.requires_grad
        return self._in_type(value, self._float_type(), node) if converts else value

    def converted_parts(self, node, value):
        """`value`, which is parts of what `node` is, converted if that is a tuple or list of such Parameters."""
        if self._float_type() is None or not self._is_own(node):
            return value
        parts = getattr(self.bound_self, node.attr, None)
        among = isinstance(parts, (tuple, list)) and len(parts) > 0 and all(_is_trained(part) for part in parts)
        return self._in_type(value, self._float_type(), node) if among else value

    def iterated(self, node):
        """Prints what a loop goes through, or a call unpacks."""
        return self.converted_parts(node, self.expression(node))

    def _of_program(self):
        """Whether this is a function of the program's, not of the package, in a cell with an element type of its own."""
        return self._float_type() is not None and not self._is_of_package()

    def _is_own(self, node):
        """Whether `node` is an attribute of the method's cell."""
        return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in self.argument_names[:1]

    def _own_parameter(self, node):
        return self.bound_self._params.get(node.attr) if self._float_type() is not None and self._is_own(node) else None

    def _is_held_tensor(self, node):
        if not self._of_program():
            return False
        live = self.live_value(node)
        return live is not None and isinstance(live[1], Tensor) and not isinstance(live[1], Parameter) and live[1].dtype in float_type

    def _in_type(self, value, dtype, node):
        callee = self.constant(self.module.attribute(in_type, "in_type", self.place(node)), node)
        return self.call(callee, [value, self.constant(dtype.mlir, node)], ["", ""], node)


def _is_of_floats(parameter):
    return isinstance(parameter, Parameter) and parameter.dtype in float_type


def _is_trained(parameter):
    """Whether a value is a Parameter of floats that is trained."""
    return _is_of_floats(parameter) and parameter.requires_grad
