"""Names that programs written after PyTorch's manner try, and what gives the same."""

_DEVICE = "set_context(device_target=…) says where a program runs"
_GRADIENTS = "mindspore.value_and_grad makes the function that gives a loss and its gradients, and an optimizer is called with these"
_FRESH = "gradients are what each call of a gradient function returns; nothing adds them up"

#: Of tensors.
TENSOR = {
    "backward": _GRADIENTS,
    "cpu": _DEVICE,
    "cuda": _DEVICE,
    "detach": "ops.stop_gradient gives the tensor as a constant",
    "grad": _GRADIENTS,
    "requires_grad_": "gradients are taken of what a gradient function is told to; a Parameter has requires_grad",
    "zero_grad": _FRESH,
}

#: Of cells and optimizers.
CELL = {
    "add_module": "insert_child_to_cell adds a cell under a name",
    "backward": _GRADIENTS,
    "children": "cells() gives them",
    "cpu": _DEVICE,
    "cuda": _DEVICE,
    "eval": "set_train(False) has layers work as in evaluation",
    "forward": "a cell computes in its method construct, and is called itself",
    "load_state_dict": "load_param_into_net sets Parameters by name",
    "modules": "cells_and_names() gives all cells with their names",
    "named_modules": "cells_and_names() gives all cells with their names",
    "named_parameters": "parameters_and_names() gives them",
    "parameters": "get_parameters() gives all of them, trainable_params() those that are trained",
    "register_parameter": "insert_param_to_cell adds a Parameter under a name",
    "requires_grad_": "set requires_grad of its Parameters",
    "step": _GRADIENTS,
    "to": "set_context(device_target=…) says where a program runs, and to_float(…) what a cell computes in",
    "train": "set_train() has layers work as in training",
    "zero_grad": _FRESH,
}
