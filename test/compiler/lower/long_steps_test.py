"""Steps of very many operations, each of which depends on the one before: passes do not recurse along them."""

import subprocess
import unittest

OPT = "tools/plumb-opt"
STEP = """#id = affine_map<(d0, d1) -> (d0, d1)>
#col = affine_map<(d0, d1) -> (d1)>
device.module @step {{
  device.queue @in columns ["x"] (tensor<4x8xf32>) depth(2)
  device.report @first : tensor<8xf32>
  device.report @second : tensor<8xf32>
  device.loop @l {{mode = "eval"}} {{
    %x = device.get_next @in : tensor<4x8xf32>
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %first = linalg.generic {{indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]}}
        ins(%x : tensor<4x8xf32>) outs(%z : tensor<8xf32>) {{
    ^bb0(%a : f32, %o : f32):
      %sum = arith.addf %o, %a : f32
      linalg.yield %sum : f32
    }} -> tensor<8xf32>
    device.emit @first, %first : tensor<8xf32>
    %c0 = arith.addf %x, %x : tensor<4x8xf32>
{chain}
    %second = linalg.generic {{indexing_maps = [#id, #id, #col], iterator_types = ["reduction", "parallel"]}}
        ins(%x, %c{last} : tensor<4x8xf32>, tensor<4x8xf32>) outs(%z : tensor<8xf32>) {{
    ^bb0(%a : f32, %b : f32, %o : f32):
      %product = arith.mulf %a, %b : f32
      %sum = arith.addf %o, %product : f32
      linalg.yield %sum : f32
    }} -> tensor<8xf32>
    device.emit @second, %second : tensor<8xf32>
    device.yield
  }}
}}
"""


class LongStepsTest(unittest.TestCase):
    """Passes on one long step."""

    def test_fuse_reductions(self):
        """The second reduction of a tensor depends on a chain from that tensor: the chain moves before both, which become one."""
        chain = "\n".join(f"    %c{i + 1} = arith.mulf %c{i}, %x : tensor<4x8xf32>" for i in range(60000))
        done = subprocess.run([OPT, "--plumb-fuse-reductions"], input=STEP.format(chain=chain, last=60000), capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stderr[-1000:])
        self.assertEqual((done.stdout.count("linalg.generic"), done.stdout.count("arith.mulf")), (1, 60001))


if __name__ == "__main__":
    unittest.main()
