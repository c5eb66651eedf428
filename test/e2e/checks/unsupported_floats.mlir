// RUN: not plumbc %s --compile-from=specialize -o %t.plumb > %t.log 2>&1
// RUN: FileCheck %s < %t.log
// RUN: not ls %t.plumb
//
// Numbers of 8 bits have no code: an error where the first stands, and no executable.

// CHECK: unsupported_floats.mlir:[[#@LINE+2]]:1: error: 'net.parameter' op attribute 'type' failed to satisfy constraint
// CHECK: f8E5M2
net.parameter @x : tensor<3xf8E5M2> = dense<1.0> : tensor<3xf8E5M2>

func.func @main() -> tensor<3xf8E5M2> {
  %x = net.read @x : tensor<3xf8E5M2>
  %y = net.mul %x, %x : (tensor<3xf8E5M2>, tensor<3xf8E5M2>) -> tensor<3xf8E5M2>
  return %y : tensor<3xf8E5M2>
}
net.entry @train calls @main () {mode = "train", sink_size = 1 : i64, epochs = 1 : i64}
