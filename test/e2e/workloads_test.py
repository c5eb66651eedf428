"""The MLP, the ResNets and the transformer: their first steps agree with PyTorch, and their losses fall."""

import json
import os
import unittest

import numpy as np

import workloads

REFERENCE = os.path.join(workloads.HERE, "workloads_reference.json")

# PyTorch's own losses in float32 and float64 differ by up to this much.
TOLERANCE = {"mlp": 1e-5, "resnet8": 1e-4, "resnet20": 1e-3, "transformer": 1e-4}


class WorkloadsTest(unittest.TestCase):
    """One case per workload, in one sink each."""

    def check(self, name):
        """Trains as long as the reference did and compares losses and values."""
        with open(REFERENCE, encoding="utf-8") as file:
            reference = json.load(file)[name]
        make_model, data, steps = workloads.WORKLOADS[name]
        model, losses = make_model(), workloads.Losses()
        model.train(1, data(), callbacks=[losses], dataset_sink_mode=True, sink_size=steps)
        tolerance = TOLERANCE[name]
        np.testing.assert_allclose(losses.values, reference["losses"], rtol=tolerance)
        for key, array in workloads.weights(model).items():
            np.testing.assert_allclose(array.reshape(-1)[::workloads.STRIDE], reference["values"][key],
                                       rtol=10 * tolerance, atol=10 * tolerance, err_msg=key)
        return losses.values

    def test_mlp(self):
        losses = self.check("mlp")
        self.assertLess(losses[-1], 0.85 * losses[0])

    def test_resnet8(self):
        losses = self.check("resnet8")
        self.assertLess(losses[-1], losses[0])

    def test_resnet20(self):
        self.check("resnet20")

    def test_transformer(self):
        losses = self.check("transformer")
        self.assertLess(losses[-1], 0.8 * losses[0])


if __name__ == "__main__":
    unittest.main()
