"""Settings of Ascend devices, of which there is none."""

from plumb.device_context._elsewhere import count_none as device_count, no_device as is_available, settings

op_debug = settings("ascend", "op_debug", "aclinit_config debug_option execute_timeout")
op_precision = settings("ascend", "op_precision", "conv_allow_hf32 matmul_allow_hf32 op_precision_mode precision_mode")
op_tuning = settings("ascend", "op_tuning", "aclnn_cache aoe_job_type aoe_tune_mode op_compile")
