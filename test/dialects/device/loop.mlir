// A loop over tensors and a loop over buffers round-trip.
// RUN: plumb-opt %s | plumb-opt | FileCheck %s

// CHECK-LABEL: device.module @values
device.module @values {
  device.variable @weight : tensor<4xf32> = #device.init<"one", []>
  device.queue @train columns ["x"] (tensor<4xf32>) depth(2)
  device.report @loss : tensor<4xf32>
  // CHECK: device.loop @train {epochs = 10 : i64, mode = "train", sink_size = 1000 : i64} {
  device.loop @train {mode = "train", sink_size = 1000 : i64, epochs = 10 : i64} {
    // CHECK: %[[X:.*]] = device.get_next @train : tensor<4xf32>
    %x = device.get_next @train : tensor<4xf32>
    // CHECK: %[[W:.*]] = device.read @weight : tensor<4xf32>
    %w = device.read @weight : tensor<4xf32>
    // CHECK: device.write @weight, %[[X]] : tensor<4xf32>
    device.write @weight, %x : tensor<4xf32>
    // CHECK: device.emit @loss, %[[W]] : tensor<4xf32>
    device.emit @loss, %w : tensor<4xf32>
    %true = arith.constant dense<true> : tensor<i1>
    // CHECK: device.continue_if %{{.*}} : tensor<i1>
    device.continue_if %true : tensor<i1>
    %b = arith.constant true
    scf.if %b {
      // CHECK: device.print ["w ", " x ", "\0A"](%[[W]], %[[X]]) as (tensor<4xf32>, tensor<4xf32>) : tensor<4xf32>, tensor<4xf32>
      device.print ["w ", " x ", "\0A"] (%w, %x) as (tensor<4xf32>, tensor<4xf32>) : tensor<4xf32>, tensor<4xf32>
    }
    // CHECK: device.print ["end\0A"]() as (){{$}}
    device.print ["end\0A"] () as ()
    // CHECK: device.yield
    device.yield
  }
}

// CHECK-LABEL: device.module @buffers
device.module @buffers {
  device.variable @weight : tensor<4xf32> = #device.init<"one", []>
  device.queue @train columns ["x"] (tensor<4xf32>) depth(2)
  device.report @loss : tensor<4xf32>
  device.loop @train {mode = "train"} {
    // CHECK: device.get_next @train : memref<4xf32>
    %x = device.get_next @train : memref<4xf32>
    // CHECK: device.variable.view @weight : memref<4xf32>
    %w = device.variable.view @weight : memref<4xf32>
    // CHECK: device.arena.view offset 64 : memref<4xf32>
    %a = device.arena.view offset 64 : memref<4xf32>
    // CHECK: device.halo %{{.*}} low [1] high [2] : memref<4xf32> to memref<7xf32, strided<[1]>>
    %p = device.halo %x low [1] high [2] : memref<4xf32> to memref<7xf32, strided<[1]>>
    linalg.add ins(%x, %w : memref<4xf32>, memref<4xf32>) outs(%a : memref<4xf32>)
    // CHECK: device.emit @loss, %{{.*}} : memref<4xf32>
    device.emit @loss, %a : memref<4xf32>
    %true = arith.constant true
    // CHECK: device.continue_if %{{.*}} : i1
    device.continue_if %true : i1
  }
}

// The loop and its queue may carry one name, and an empty loop is a loop.
// CHECK-LABEL: device.module @empty
device.module @empty {
  // CHECK: device.loop @spin {mode = "predict"}
  device.loop @spin {mode = "predict"} {
  }
}
