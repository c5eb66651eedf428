// RUN: not plumb-opt %s 2>&1 | FileCheck %s
// RUN: not plumbc %s -o %t 2>&1 | FileCheck %s

// MLIR's parser does not survive two blocks of one label, where an earlier region uses what the first of them defines.
// Other regions may have the label, comments (^bb0:) and strings may say what they like.

func.func @f(%c: i1) -> f32 {
  %0 = scf.if %c -> f32 {
    cf.br ^bb1(%a : f32)
  ^bb1(%x: f32):
    scf.yield %x : f32
  } else {
  ^bb1(%a: f32):
    scf.yield %a : f32
  // CHECK: block_labels_invalid.mlir:[[@LINE+1]]:3: error: another block of this region has the same label
  ^bb1(%a: f32):
    %text = arith.constant {text = "^bb1:"} 1.0 : f32
    scf.yield %text : f32
  }
  return %0 : f32
}
