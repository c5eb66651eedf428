// RUN: plumb-opt %s --plumb-convert-device-to-llvm=target-cpu=x86-64-v3 | FileCheck %s
// RUN: plumb-opt %s --plumb-convert-device-to-llvm=target-cpu=neoverse-n1 | FileCheck %s --check-prefix=AARCH64

// CHECK: device.entry @train symbol("plumb_loop_train")
// CHECK-SAME: queue = @train
// CHECK-SAME: reports = [@loss]
// CHECK-LABEL: llvm.func @plumb_loop_train(
// CHECK-SAME: %[[LAUNCH:.*]]: !llvm.ptr)
// Tiny numbers are zero from here on.
// CHECK: llvm.call_intrinsic "llvm.x86.sse.stmxcsr"(%[[HOST:.*]]) :
// CHECK: llvm.call_intrinsic "llvm.x86.sse.ldmxcsr"(%[[STEP:.*]]) :
// The step's number against the sink size.
// CHECK: {{^ *}}^bb1(%[[NUMBER:[0-9]+]]: i64,
// CHECK: llvm.icmp "uge" %[[NUMBER]]
// The stop flag.
// CHECK: llvm.load {{.*}} atomic monotonic
// Room for the record, then the batch.
// CHECK: llvm.load {{.*}} atomic acquire
// CHECK: llvm.load {{.*}} atomic acquire
// The step.
// CHECK: memref.load
// Views may stand in branches.
// CHECK: scf.if
// CHECK-NOT: device.
// CHECK: memref.store
// CHECK: linalg.copy
// The record, then the slot.
// CHECK: llvm.store {{.*}} atomic release
// CHECK: llvm.store {{.*}} atomic release
// CHECK: llvm.call_intrinsic "llvm.x86.sse.ldmxcsr"(%[[HOST]]) :
// CHECK: llvm.return
// CHECK-NOT: device.loop

// AARCH64: %[[MODE:.*]] = llvm.call_intrinsic "llvm.aarch64.get.fpcr"()
// AARCH64: llvm.store %[[MODE]], %[[HOST:.*]] :
// AARCH64: llvm.call_intrinsic "llvm.aarch64.set.fpcr"
// AARCH64: %[[BACK:.*]] = llvm.load %[[HOST]]
// AARCH64-NEXT: llvm.call_intrinsic "llvm.aarch64.set.fpcr"(%[[BACK]])
// AARCH64: llvm.return
device.module @net {
  device.variable @w : tensor<8xf32> = dense<0.0> : tensor<8xf32> {offset = 0 : i64}
  device.queue @train columns ["x"] (tensor<8xf32>) depth(4) {offsets = array<i64: 0>, slot_bytes = 64 : i64}
  device.report @loss : tensor<f32> {offset = 8 : i64}
  device.loop @train {mode = "train", record_bytes = 16 : i64} {
    %x = device.get_next @train : memref<8xf32>
    %w = device.variable.view @w : memref<8xf32>
    %loss = device.arena.view offset 0 : memref<f32>
    %c0 = arith.constant 0 : index
    %0 = memref.load %x[%c0] : memref<8xf32>
    memref.store %0, %w[%c0] : memref<8xf32>
    memref.store %0, %loss[] : memref<f32>
    %small = arith.cmpf olt, %0, %0 : f32
    scf.if %small {
      %v = device.variable.view @w : memref<8xf32>
      %s = device.arena.view offset 64 : memref<8xf32>
      %1 = memref.load %s[%c0] : memref<8xf32>
      memref.store %1, %v[%c0] : memref<8xf32>
    }
    device.emit @loss, %loss : memref<f32>
    device.yield
  }
}

// A print waits for room in its ring, writes the numbers of the step and of itself and its values, and publishes the record.
// CHECK: device.entry @chat
// CHECK-SAME: print_bytes = 24
// CHECK-SAME: prints = [#device.print<["start\0A"], types = [], offsets = []>,
// CHECK-SAME:           #device.print<["x ", "\0A"], types = [tensor<ui32>], offsets = [16]>]
// CHECK-LABEL: llvm.func @plumb_loop_chat(
// CHECK: scf.while
// CHECK: llvm.store {{.*}} atomic release
// CHECK: scf.for
// CHECK:   scf.while
// CHECK:     llvm.load {{.*}} atomic acquire
// CHECK:     %[[FULL:.*]] = llvm.icmp "uge"
// CHECK:     scf.condition(%[[FULL]])
// The host waits with its own mode of floats.
// CHECK:     llvm.call_intrinsic "llvm.x86.sse.ldmxcsr"
// CHECK:     llvm.call %{{.*}}(%{{.*}})
// CHECK:     llvm.call_intrinsic "llvm.x86.sse.ldmxcsr"
// CHECK:   linalg.copy
// CHECK:   llvm.store {{.*}} atomic release
device.module @prints {
  device.loop @chat {mode = "train", record_bytes = 8 : i64, print_bytes = 24 : i64} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    %x = device.arena.view offset 0 : memref<i32>
    device.print ["start\0A"] () as () {offsets = array<i64>}
    scf.for %i = %c0 to %c9 step %c1 {
      device.print ["x ", "\0A"] (%x) as (tensor<ui32>) {offsets = array<i64: 16>} : memref<i32>
    }
    device.yield
  }
}
