// RUN: plumb-opt %s --plumb-insert-kernel-timers=target-cpu=x86-64-v4 | FileCheck %s
// RUN: plumb-opt %s --plumb-insert-kernel-timers=target-cpu=neoverse-n1 | FileCheck %s --check-prefix=NEON
// NEON-COUNT-2: llvm.call_intrinsic "llvm.readsteadycounter"

// A kernel reads the counter at its start and end, and keeps the difference; other functions do not.
// CHECK: llvm.mlir.global internal @plumb_timer.product() {{{.*}}section = ".data"} : !llvm.array<1025 x i64>
// CHECK: llvm.func internal @product(%[[X:.*]]: !llvm.ptr)
// CHECK: %[[START:.*]] = llvm.call_intrinsic "llvm.readcyclecounter"() : () -> i64
// CHECK: llvm.store %{{.*}}, %[[X]]
// CHECK: %[[END:.*]] = llvm.call_intrinsic "llvm.readcyclecounter"() : () -> i64
// CHECK: %[[TICKS:.*]] = llvm.sub %[[END]], %[[START]] : i64
// CHECK: %[[TIMER:.*]] = llvm.mlir.addressof @plumb_timer.product
// CHECK: %[[COUNT:.*]] = llvm.load %[[TIMER]]
// CHECK: %[[LAST:.*]] = llvm.mlir.constant(1023 : i64)
// CHECK: %[[NUMBER:.*]] = llvm.and %[[COUNT]], %[[LAST]]
// CHECK: %[[NEXT:.*]] = llvm.add %[[NUMBER]], %{{.*}}
// CHECK: %[[PLACE:.*]] = llvm.getelementptr %[[TIMER]][%[[NEXT]]]
// CHECK: llvm.store %[[TICKS]], %[[PLACE]]
// CHECK: %[[MORE:.*]] = llvm.add %[[COUNT]], %{{.*}}
// CHECK: llvm.store %[[MORE]], %[[TIMER]]
// CHECK: llvm.return
// CHECK: llvm.func @train
// CHECK-NOT: llvm.call_intrinsic
device.module @net {
  llvm.func internal @product(%x: !llvm.ptr) attributes {kernel.info = #kernel.info<calls = {train = 1 : i64}, flops = 8, read = 4, written = 4, source = "">} {
    %0 = llvm.mlir.constant(1.0 : f32) : f32
    llvm.store %0, %x : f32, !llvm.ptr
    llvm.return
  }
  llvm.func @train(%x: !llvm.ptr) {
    llvm.call @product(%x) : (!llvm.ptr) -> ()
    llvm.return
  }
}
