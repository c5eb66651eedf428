// RUN: plumb-opt %s --split-input-file --verify-diagnostics

device.module @m {
  // expected-error @+1 {{mode must be train, eval or predict, got 'sleep'}}
  device.loop @l {mode = "sleep"} {
  }
}

// -----

device.module @m {
  // expected-error @+1 {{sink_size must be -1 or positive and epochs positive, got 0 and 1}}
  device.loop @l {mode = "train", sink_size = 0 : i64} {
  }
}

// -----

device.module @m {
  // expected-note @+1 {{declared here}}
  device.queue @q columns ["x"] (tensor<4xf32>) depth(2)
  device.loop @l {mode = "train"} {
    // expected-error @+1 {{column is 'tensor<5xf32>', but was declared 'tensor<4xf32>'}}
    %x = device.get_next @q : tensor<5xf32>
  }
}

// -----

device.module @m {
  device.queue @q columns ["x"] (tensor<4xf32>) depth(2)
  device.loop @l {mode = "train"} {
    // expected-note @+1 {{the first}}
    %x = device.get_next @q : tensor<4xf32>
    // expected-error @+1 {{is the second of its loop}}
    %y = device.get_next @q : tensor<4xf32>
  }
}

// -----

device.module @m {
  device.queue @q columns ["x"] (tensor<4xf32>) depth(2)
  device.report @r : tensor<4xf32>
  device.loop @l {mode = "train"} {
    %x = device.get_next @q : tensor<4xf32>
    // expected-note @+1 {{the first time}}
    device.emit @r, %x : tensor<4xf32>
    // expected-error @+1 {{emits @r for the second time}}
    device.emit @r, %x : tensor<4xf32>
  }
}

// -----

device.module @m {
  device.loop @l {mode = "train"} {
    // expected-error @+1 {{refers to @w, which is no variable of the module}}
    %x = device.read @w : tensor<4xf32>
  }
}

// -----

device.module @m {
  // expected-note @+1 {{declared here}}
  device.variable @w : tensor<4xf32> = #device.init<"one", []>
  device.loop @l {mode = "train"} {
    // expected-error @+1 {{value is 'memref<4xf32, strided<[2]>>', but was declared 'tensor<4xf32>'}}
    %x = device.variable.view @w : memref<4xf32, strided<[2]>>
  }
}

// -----

// expected-note @+1 {{the arena's module}}
device.module @m attributes {arena_bytes = 64 : i64} {
  device.loop @l {mode = "train"} {
    // expected-error @+1 {{ends at byte 80 of an arena of 64 bytes}}
    %x = device.arena.view offset 64 : memref<4xf32>
  }
}

// -----

device.module @m {
  device.loop @l {mode = "train"} {
    // expected-error @+1 {{offset must be a multiple of 64, got 4}}
    %x = device.arena.view offset 4 : memref<4xf32>
  }
}

// -----

// halo_c1
func.func @pads(%x: memref<2x8xf32>) {
  // expected-error @+1 {{needs a number of at least zero for each of 2 axes, got [0, -1]}}
  %p = device.halo %x low [0, -1] high [0, 1] : memref<2x8xf32> to memref<2x8xf32, strided<[8, 1]>>
  return
}

// -----

// halo_c2
func.func @shape(%x: memref<2x8xf32>) {
  // expected-error @+1 {{result must be 'memref<2x10xf32, strided<[8, 1]>>', got 'memref<2x10xf32>'}}
  %p = device.halo %x low [0, 1] high [0, 1] : memref<2x8xf32> to memref<2x10xf32>
  return
}

// -----

device.module @m {
  device.queue @q columns ["x"] (tensor<4xf32>) depth(2)
  device.loop @l {mode = "train"} {
    %x = device.get_next @q : tensor<4xf32>
    // expected-error @+1 {{has 1 texts and 1 types for 1 values}}
    device.print ["x "] (%x) as (tensor<4xf32>) : tensor<4xf32>
  }
}

// -----

device.module @m {
  device.queue @q columns ["x"] (tensor<4xf32>) depth(2)
  device.loop @l {mode = "train"} {
    %x = device.get_next @q : tensor<4xf32>
    // expected-error @+2 {{value is 'tensor<4xf32>', but was declared 'tensor<4xi32>'}}
    // expected-note @+1 {{declared here}}
    device.print ["x ", "\0A"] (%x) as (tensor<4xi32>) : tensor<4xf32>
  }
}

// -----

device.module @m {
  device.loop @l {mode = "train"} {
    %x = device.arena.view offset 0 : memref<4xf32>
    // expected-error @+1 {{needs an offset of at least 16 for each of 1 values, got [8]}}
    device.print ["x ", "\0A"] (%x) as (tensor<4xf32>) {offsets = array<i64: 8>} : memref<4xf32>
  }
}

// -----

func.func @f() {
  // expected-error @+1 {{stands outside of a device.loop}}
  device.print ["x"] () as ()
  return
}

// -----

// What no processor addresses, or no program computes with, is no value of a step.
device.module @m {
  device.loop @l {mode = "train"} {
    // expected-error @+1 {{must be addressable, statically shaped memref of}}
    %x = device.arena.view offset 0 : memref<4294967296x4294967296xf32>
  }
}

// -----

device.module @m {
  device.loop @l {mode = "train"} {
    // expected-error @+1 {{must be addressable, statically shaped memref of}}
    %x = device.arena.view offset 0 : memref<4xcomplex<f32>>
  }
}

// -----

device.module @m {
  device.variable @w : tensor<4xf32> = #device.init<"one", []>
  device.loop @l {mode = "train"} {
    // expected-error @+1 {{must be addressable, statically shaped tensor of}}
    %x = device.read @w : tensor<4xi7>
  }
}

// -----

// expected-note @+1 {{the arena's module}}
device.module @m attributes {arena_bytes = 64 : i64} {
  device.loop @l {mode = "train"} {
    // expected-error @+1 {{ends at byte 9223372036854775824 of an arena of 64 bytes}}
    %x = device.arena.view offset 9223372036854775744 : memref<20xi32>
  }
}
