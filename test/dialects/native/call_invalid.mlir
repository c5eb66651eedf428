// RUN: plumb-opt %s -split-input-file -verify-diagnostics

#source = #native.source<"f.c", "c", "">
func.func @call_c1(%y: memref<4xf32>, %s: memref<i32>) {
  // expected-error @+1 {{calls 'a b', which is no name of C}}
  native.call "a b" of #source ["float32"] ins() outs(%y, %s : memref<4xf32>, memref<i32>)
  return
}

// -----

#source = #native.source<"f.c", "c", "">
func.func @call_c2(%y: memref<4xf32>) {
  // expected-error @+1 {{needs an output, and one i32 behind it}}
  native.call "f" of #source [] ins() outs(%y : memref<4xf32>)
  return
}

// -----

#source = #native.source<"f.c", "c", "">
func.func @call_c3(%y: memref<4xf32>, %s: memref<i32>) {
  // expected-error @+1 {{has 2 dtypes for 0 inputs and 1 outputs}}
  native.call "f" of #source ["float32", "float32"] ins() outs(%y, %s : memref<4xf32>, memref<i32>)
  return
}

// -----

func.func @source(%y: memref<4xf32>, %s: memref<i32>) {
  // expected-error @+1 {{the language of 'f.f' must be c or c++, got fortran}}
  native.call "f" of #native.source<"f.f", "fortran", ""> ["float32"] ins() outs(%y, %s : memref<4xf32>, memref<i32>)
  return
}
