"""`mindspore.common._stub_tensor`: tensors that MindSpore's eager mode has not computed yet. Here every tensor is what it is."""


class StubTensor:
    """What no value is an instance of: programs put methods of their own into it beside Tensor."""


def _convert_stub(stub):
    """The value itself."""
    return stub


def _convert_python_data(data):
    """The value itself."""
    return data
