"""Settings of GPUs, of which there is none."""

from plumb.device_context._elsewhere import count_none as device_count, no_device as is_available, settings

op_precision = settings("gpu", "op_precision", "conv_allow_tf32 matmul_allow_tf32")
op_tuning = settings("gpu", "op_tuning", "conv_dgrad_algo conv_fprop_algo conv_wgrad_algo")
