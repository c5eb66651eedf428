"""Steps of very many operations: passes do not recurse along chains of them, and take linear time."""

import subprocess
import time
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

PARTS = """#id = affine_map<(d0, d1) -> (d0, d1)>
device.module @parts {{
  device.queue @in columns ["x"] (tensor<2x2xf32>) depth(2)
  device.report @out : tensor<{rows}x{rows}xf32>
  device.loop @l {{mode = "eval"}} {{
    %x = device.get_next @in : tensor<2x2xf32>
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<2x2xf32>
    %w = tensor.empty() : tensor<{rows}x{rows}xf32>
    %z = linalg.fill ins(%zero : f32) outs(%w : tensor<{rows}x{rows}xf32>) -> tensor<{rows}x{rows}xf32>
{lines}
    device.emit @out, %{last} : tensor<{rows}x{rows}xf32>
    device.yield
  }}
}}
"""


def write_tiles(side, insert):
    """A step of side * side parts, each computed by itself; `insert` writes how one comes into the whole."""
    made = [f"    %p{i} = linalg.exp ins(%x : tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>" for i in range(side * side)]
    lines = made + [insert(i, f"[{i // side * 2}, {i % side * 2}] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<{2 * side}x{2 * side}xf32>", side * 2)
                    for i in range(side * side)]
    return PARTS.format(rows=2 * side, lines="\n".join(lines), last=f"c{side * side - 1}")


def write_chain(i, region, _):
    return f"    %c{i} = tensor.insert_slice %p{i} into %{f'c{i - 1}' if i else 'w'}{region}"


def write_sum(i, region, rows):
    """As gradients of slices come: insertions into zeros, added up."""
    kind = f"tensor<{rows}x{rows}xf32>"
    inserted = f"    %{'i' if i else 'c'}{i} = tensor.insert_slice %p{i} into %z{region}"
    return inserted if i == 0 else inserted + f"""
    %c{i} = linalg.generic {{indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}}
        ins(%c{i - 1}, %i{i} : {kind}, {kind}) outs(%w : {kind}) {{
    ^bb0(%a : f32, %b : f32, %o : f32):
      %sum = arith.addf %a, %b : f32
      linalg.yield %sum : f32
    }} -> {kind}"""


def write_calls(count):
    """A function of many calls in one block."""
    lines = [f"  %{i + 1} = call @f(%{i}) : (tensor<f32>) -> tensor<f32>" for i in range(count)]
    return f"""func.func private @f(%x: tensor<f32>) -> tensor<f32> {{
  %0 = net.mul %x, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}}
func.func @step(%0: tensor<f32>) -> tensor<f32> {{
{chr(10).join(lines)}
  return %{count} : tensor<f32>
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

    def run_pass(self, name, source):
        """Returns what a pass makes of a module, and the seconds that it takes by the tool's own table."""
        begin = time.process_time()
        done = subprocess.run([OPT, name, "--mlir-timing", "--mlir-timing-display=list"], input=source, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr[-1000:])
        lines = [line.split() for line in done.stderr.splitlines() if "Pass" in line and "(" in line]
        self.assertTrue(lines, (done.stderr, begin))
        return done.stdout, sum(float(line[0]) for line in lines)

    def check_linear(self, name, sources, counted, counts):
        """Four times the operations take less than twelve times the time; sixteen are quadratic."""
        seconds = []
        for source, count in zip(sources, counts):
            text, taken = self.run_pass(name, source)
            self.assertEqual(text.count(counted), count)
            seconds.append(taken)
        self.assertLess(seconds[1], 12 * seconds[0], name)

    def test_calls(self):
        self.check_linear("--plumb-inline-calls", map(write_calls, (5000, 20000)), "net.mul", (5001, 20001))

    def test_parts(self):
        """Parts that are inserted into one tensor are computed there."""
        tiles = [write_tiles(side, write_chain) for side in (40, 80)]
        self.check_linear("--plumb-convert-tensors-to-buffers", tiles, "memref.alloc", (2, 2))

    def test_sums_of_insertions(self):
        """A sum of insertions becomes one chain of them."""
        sums = [write_tiles(side, write_sum) for side in (40, 80)]
        self.check_linear("--plumb-simplify-movements", sums, "linalg.generic", (0, 0))


if __name__ == "__main__":
    unittest.main()
