// RUN: plumb-opt %s --plumb-verify-lowered --split-input-file --verify-diagnostics

// expected-error @+1 {{has no memory plan}}
device.module @m {
}

// -----

device.module @m attributes {arena_bytes = 0 : i64, variables_bytes = 0 : i64} {
  // expected-error @+1 {{has no offset}}
  device.variable @w : tensor<4xf32> = #device.init<"one", []>
}

// -----

device.module @m attributes {arena_bytes = 0 : i64, variables_bytes = 0 : i64} {
  device.loop @l {mode = "eval", record_bytes = 8 : i64} {
    // expected-error @+1 {{has no offsets}}
    device.print ["x\0A"] () as ()
  }
}

// -----

device.module @m attributes {arena_bytes = 0 : i64, variables_bytes = 0 : i64} {
  // expected-error @+1 {{has no record size}}
  device.loop @l {mode = "eval"} {
    device.yield
  }
}

// -----

device.module @m attributes {arena_bytes = 0 : i64, variables_bytes = 0 : i64} {
  device.loop @l {mode = "eval", record_bytes = 8 : i64} {
    // expected-error @+1 {{allocates memory in the loop; it is not planned}}
    %a = memref.alloc() : memref<4xf32>
    device.yield
  }
}

// -----

device.module @m attributes {arena_bytes = 0 : i64, variables_bytes = 0 : i64} {
  device.loop @l {mode = "eval", record_bytes = 8 : i64} {
    // expected-error @+1 {{still works on tensors}}
    %a = arith.constant dense<0.0> : tensor<4xf32>
    device.yield
  }
}

// -----

device.module @m attributes {arena_bytes = 0 : i64, variables_bytes = 0 : i64} {
  device.loop @l {mode = "eval", record_bytes = 8 : i64} {
    // expected-error @+1 {{is left over: 'lower' has no form of it on buffers}}
    %a = tensor.empty() : tensor<4xf32>
    device.yield
  }
}

// -----

device.module @m attributes {arena_bytes = 64 : i64, variables_bytes = 0 : i64} {
  device.loop @l {mode = "eval", record_bytes = 8 : i64} {
    %x = device.arena.view offset 0 : memref<2xf32>
    %y = device.arena.view offset 0 : memref<4xf32>
    // expected-error @+1 {{is read by more than contractions}}
    %p = device.halo %x low [1] high [1] : memref<2xf32> to memref<4xf32, strided<[1]>>
    // expected-note @+1 {{by this operation}}
    linalg.copy ins(%p : memref<4xf32, strided<[1]>>) outs(%y : memref<4xf32>)
    device.yield
  }
}
