// RUN: plumb-opt %s --split-input-file --verify-diagnostics

func.func @copy(%x: memref<8xf32>, %y: memref<8xf32>) {
  // expected-error @+1 {{lanes must be a power of two of at least two, got 3}}
  linalg.copy {kernel.plan = #kernel.plan<lanes = 3 x 1 along 0>} ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
  return
}

// -----

func.func @copy(%x: memref<8xf32>, %y: memref<8xf32>) {
  // expected-error @+1 {{a plan has no entry 'speed'}}
  linalg.copy {kernel.plan = #kernel.plan<lanes = 8 x 1 along 0, speed = 3>} ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
  return
}

// -----

func.func @copy(%x: memref<8xf32>, %y: memref<8xf32>) {
  // expected-error @+1 {{panels must name operands and entries of order}}
  linalg.copy {kernel.plan = #kernel.plan<lanes = 8 x 1 along 0, panels = [0 : 1], order = [0 : 8]>} ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
  return
}

// -----

// expected-error @+1 {{has 'kernel.plan', which must be the plan of a linalg operation}}
func.func private @f() attributes {kernel.plan = #kernel.plan<lanes = 8 x 1 along 0>}

// -----

// expected-error @+1 {{has 'kernel.speed', which must be one that the dialect declares}}
func.func private @f() attributes {kernel.speed = 3 : i64}

// -----

// expected-error @+1 {{has 'kernel.fused', which must be a mark of a call}}
func.func private @f() attributes {kernel.fused}

// -----

// expected-error @+1 {{has 'kernel.partition', which belongs on a function's declaration}}
func.func private @f(%x: memref<8xf32>) attributes {kernel.partition = #kernel.partition<@f, chunks = 2, steps = [32]>} {
  return
}

// -----

// expected-error @+1 {{stands for chunks of @missing, which is no function here}}
func.func private @f(memref<8xf32>) attributes {kernel.partition = #kernel.partition<@missing, chunks = 2, steps = [32]>}

// -----

// expected-error @+1 {{has 1 arguments, and its partition 2 steps; there must be one for each argument}}
func.func private @f(memref<8xf32>) attributes {kernel.partition = #kernel.partition<@f, chunks = 2, steps = [32, 0]>}

// -----

// expected-error @+1 {{stands for chunks of @g, whose number of arguments is another one}}
func.func private @f(memref<8xf32>) attributes {kernel.partition = #kernel.partition<@g, chunks = 2, steps = [32]>}
// expected-note @+1 {{the function of one chunk is here}}
func.func private @g()

// -----

// expected-error @+1 {{a partition needs at least one chunk, got 0}}
func.func private @f(memref<8xf32>) attributes {kernel.partition = #kernel.partition<@f, chunks = 0, steps = [32]>}
