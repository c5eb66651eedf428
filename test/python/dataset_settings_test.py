"""`dataset.config`: what is set is what is got, and arguments of wrong types and sizes are named."""

import json
import os
import tempfile
import unittest

import plumb
from plumb.dataset import config
from plumb.dataset.core import config as inner

FLAGS = "auto_num_workers auto_offload enable_watchdog fast_recovery dynamic_shape enable_shared_mem numa_enable debug_mode enable_autotune".split()
NUMBERS = "num_parallel_workers prefetch_size callback_timeout monitor_sampling_interval multiprocessing_timeout_interval seed".split()


class SettingsTest(unittest.TestCase):
    """Settings are remembered."""

    def changed(self, name, value):
        """Sets it until the test ends; returns what is got."""
        setter, getter = getattr(config, f"set_{name}"), getattr(config, f"get_{name}")
        self.addCleanup(setter, getter())
        setter(value)
        return getter()

    def test_flags(self):
        for name in FLAGS:
            other = not getattr(config, f"get_{name}")()
            self.assertIs(self.changed(name, other), other)
            for wrong in (1, None, "True"):
                with self.assertRaisesRegex(TypeError, f"set_{name}.*must be a bool"):
                    getattr(config, f"set_{name}")(wrong)

    def test_numbers(self):
        for name in NUMBERS:
            self.assertEqual(self.changed(name, 7), 7)
            for wrong, error in ((True, TypeError), ("1", TypeError), (2.5, TypeError), (-1, ValueError)):
                with self.assertRaisesRegex(error, f"set_{name}"):
                    getattr(config, f"set_{name}")(wrong)
        self.assertEqual(self.changed("autotune_interval", 0), 0)
        self.assertEqual(self.changed("prefetch_size", 512), 512)
        config.set_sending_batches(3)

    def test_refused(self):
        for mode in (config.ErrorSamplesMode.REPLACE, config.ErrorSamplesMode.SKIP):
            with self.assertRaisesRegex(ValueError, f"{mode.name} is not offered: let the function of `map` catch"):
                config.set_error_samples_mode(mode)
        config.set_error_samples_mode(config.ErrorSamplesMode.RETURN)
        for wrong in (0, True, "SKIP", None):
            with self.assertRaisesRegex(TypeError, "must be an ErrorSamplesMode"):
                config.set_error_samples_mode(wrong)
        with self.assertRaisesRegex(TypeError, "debug_hook_list must hold DebugHooks"):
            config.set_debug_mode(True, [print])
        with self.assertRaisesRegex(TypeError, "filepath_prefix must be a str"):
            config.set_enable_autotune(True, 3)

    def test_what_feeds_other_devices_says_what_to_call(self):
        rows = plumb.dataset.NumpySlicesDataset([1, 2], shuffle=False)
        self.assertRaisesRegex(AttributeError, "device_que.*data_sink", lambda: rows.device_que())
        self.assertRaisesRegex(AttributeError, "no attribute 'nothing'$", lambda: rows.nothing)

    def test_file(self):
        for name in ("num_parallel_workers", "seed", "monitor_sampling_interval", "fast_recovery"):
            self.changed(name, getattr(config, f"get_{name}")())
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "settings.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump({"numParallelWorkers": 8, "seed": 12, "monitorSamplingInterval": 15, "fast_recovery": False,
                           "logFilePath": "/tmp", "error_samples_mode": 0}, file)
            config.load(path)
            self.assertEqual((config.get_num_parallel_workers(), config.get_seed(), config.get_monitor_sampling_interval(),
                              config.get_fast_recovery()), (8, 12, 15, False))
            with self.assertRaisesRegex(RuntimeError, "cannot be read"):
                config.load(os.path.join(folder, "none.json"))
        self.assertIs(inner, config)


class OffloadTest(unittest.TestCase):
    """Where MindSpore computes operations changes no result."""

    def test_map(self):
        data = plumb.dataset.NumpySlicesDataset({"x": [1.0, 2.0]}, shuffle=False)
        for offload in (None, True, False):
            rows = data.map(lambda x: x * 2, "x", offload=offload).create_tuple_iterator(num_epochs=1, output_numpy=True)
            self.assertEqual([row[0].item() for row in rows], [2, 4])
        self.assertRaisesRegex(TypeError, "offload", data.map, lambda x: x, "x", offload="device")


if __name__ == "__main__":
    unittest.main()
