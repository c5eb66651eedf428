// RUN: not plumb-opt %s 2>&1 | FileCheck %s
// RUN: not plumbc %s -o %t 2>&1 | FileCheck %s

// MLIR's parser makes room for as many results as a use names, before it knows the operation. Comments (#4000000000) and
// strings may say what they like.

// CHECK: result_numbers_invalid.mlir:[[@LINE+3]]:12: error: no operation has a result of this number
func.func @f() -> f32 {
  %0 = arith.constant {text = "\"#4000000000"} 1.0 : f32
  return %0#2147483647 : f32
}
