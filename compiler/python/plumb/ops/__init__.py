"""Operations: primitive classes (`ops.ReLU()`) and functions (`ops.relu(x)`)."""

from plumb.common._offers import EXCHANGED as _EXCHANGED, SERVED as _SERVED, not_offered, offered as _offered
from plumb.ops._hosted import custom_info_register, kernel, ms_kernel
from plumb.ops._primitive import Composite, Primitive
from plumb.ops.function import *  # pylint: disable=wildcard-import
from plumb.ops.function.attention import multi_head_attention_forward as _attention
from plumb.common._marks import constexpr
from plumb.communication.management import ReduceOp
from plumb.ops.grad import GradFunction, grad, value_and_grad
from plumb.ops._maps import HyperMap, Map, MultitypeFuncGraph, add_flags, partial
from plumb.ops.operations import *  # pylint: disable=wildcard-import
from plumb.ops._taylor import derivative, jet
from plumb.ops.transforms import get_grad, jacfwd, jacrev, jvp, linearize, vjp, vmap
from plumb.ops import composite, function, functional, operations, primitive
from plumb.ops._registration import op_info_register
from plumb.common.tensor import Tensor
from plumb.ops.primitive import PrimitiveWithCheck, PrimitiveWithInfer, prim_attr_register

C, F, P = composite, functional, operations

_INNER_WORDS = "it is part of MindSpore's compiler: write the Python statement or the public operation that it stands for"
_ATTENTION = "nn.MultiheadAttention attends, or ops.softmax between two products, which are compiled as one"
_DUMPED = "np.save(file, x.asnumpy()) writes a tensor outside of compiled functions; inside, print() or a callback's Watch shows it"
_NORMS = "it is half of a batch normalisation over devices; nn.SyncBatchNorm and ops.BatchNorm are whole ones"

# What MindSpore has in inner modules, which these names stand for, alone.
_INNER = {"multi_head_attention_forward": _attention}

_missing = not_offered(__name__, "auto_generate", "functional_overload", also=_INNER, instead={
    **dict.fromkeys("""AllGatherV AlltoAllV NeighborExchange NeighborExchangeV2 Receive ReduceScatterV Send""".split(), _EXCHANGED),
    **dict.fromkeys(("all_gather_matmul", "matmul_reduce_scatter"), "a program runs on one device, which has the whole tensors: ops.matmul"),
    **dict.fromkeys("""flash_attention_score fused_infer_attention_score incre_flash_attention prompt_flash_attention
        speed_fusion_attention""".split(), _ATTENTION),
    **dict.fromkeys("""GeSwitch J MapCacheIdx Merge PyExecute SliceGetItem UpdateState array_reduce array_to_scalar
        broadcast_gradient_args dict_setitem distribute embed environ_add environ_create environ_get environ_set geswitch hastype
        is_dynamic_sequence_element_unknown is_tensor_bool_cond isconstant list_setitem make_dict make_map_parameter make_slice merge
        reduced_shape ref_to_embed switch switch_layer tail tensor_operator_registry tuple_div zip_operation""".split(), _INNER_WORDS),
    **dict.fromkeys(("TensorDump", "tensordump"), _DUMPED),
    **dict.fromkeys(("Pull", "Push"), _SERVED),
    "ConfusionMatrix": "nn.ConfusionMatrix counts, or ops.bincount of target * classes + prediction",
    "CustomOpBuilder": "ops.Custom(..., func_type='aot') compiles a source into the executable",
    "Morph": "compiled functions are read from Python's source: call the function itself",
    "get_vm_impl_fn": "it is of MindSpore's own tests; ops.Custom makes operators",
    "move_to": "there is one device, the CPU: use the tensor itself",
    "rotated_iou": "ops.iou compares boxes along the axes",
    "silent_check": "it looks for faults of devices: runs with equal seeds are equal bit for bit, compare two",
    **dict.fromkeys(("BNTrainingReduce", "BNTrainingUpdate"), _NORMS),
    **dict.fromkeys(("FusedAdaFactor", "FusedAdaFactorWithGlobalNorm"), "nn.AdaFactor takes such steps"),
    "GetNext": "Model.train, plumb.data_sink or a loop over the dataset give its rows",
    "SampleDistortedBoundingBoxV2": "dataset.vision.RandomResizedCropWithBBox draws boxes, ops.CropAndResize cuts them out",
    "typeof": "x.dtype is a tensor's element type, and isinstance tells values of other kinds apart",
    "env_get": "it is part of MindSpore's compiler; ops.grad gives gradients",
})


def __getattr__(name):
    if name.endswith("_ext"):  # what MindSpore calls the functions of `mint` within it
        from plumb import mint
        for space in (mint, mint.nn.functional):
            if name[:-len("_ext")] in _offered(vars(space)):
                return getattr(space, name[:-len("_ext")])
    return _missing(name)
