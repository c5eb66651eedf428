// RUN: plumb-opt %s --plumb-convert-parallel-to-llvm --split-input-file | FileCheck %s

// The kernel between two that are partitioned is a task of one chunk; the one before the first and the one after the
// last are plain calls.
// CHECK-LABEL: llvm.mlir.global internal constant @plumb_tasks_0() {{.*}} : !llvm.array<3 x struct<(ptr, i64)>>
// CHECK-DAG: llvm.mlir.addressof @plumb_task_0
// CHECK-DAG: llvm.mlir.addressof @plumb_task_1
// CHECK-DAG: llvm.mlir.addressof @plumb_task_2

// CHECK-LABEL: llvm.func @plumb_loop_train(
// CHECK-SAME: %[[LAUNCH:.*]]: !llvm.ptr)
// CHECK: %[[FRAME:.*]] = llvm.alloca
// CHECK: llvm.call @plain(
// CHECK: llvm.store %{{.*}}, %{{.*}} : !llvm.ptr, !llvm.ptr
// CHECK: %[[FIELD:.*]] = llvm.mlir.constant(88 : i64)
// CHECK: llvm.getelementptr %[[LAUNCH]][%[[FIELD]]]
// CHECK: %[[ALONE:.*]] = llvm.icmp "eq"
// CHECK: llvm.cond_br %[[ALONE]]
// CHECK: llvm.call @plumb_run_tasks(%{{.*}}, %{{.*}}, %[[FRAME]])
// CHECK: llvm.call %{{.*}}(%[[LAUNCH]], %{{.*}}, %{{.*}}, %[[FRAME]])
// CHECK: llvm.call @plain(
// CHECK-NOT: @part_in_chunks
device.module @net {
  llvm.func @plumb_loop_train(%launch: !llvm.ptr) {
    %0 = llvm.load %launch : !llvm.ptr -> !llvm.ptr
    %1 = llvm.getelementptr %0[64] : (!llvm.ptr) -> !llvm.ptr, i8
    llvm.call @plain(%0) : (!llvm.ptr) -> ()
    llvm.call @part_in_chunks(%0, %1) : (!llvm.ptr, !llvm.ptr) -> ()
    llvm.call @plain(%1) : (!llvm.ptr) -> ()
    %2 = llvm.getelementptr %0[128] : (!llvm.ptr) -> !llvm.ptr, i8
    llvm.call @part_in_chunks(%1, %2) : (!llvm.ptr, !llvm.ptr) -> ()
    llvm.call @plain(%2) : (!llvm.ptr) -> ()
    llvm.return
  }
  llvm.func @plain(%x: !llvm.ptr) {
    llvm.return
  }
  llvm.func @part_in_chunks(!llvm.ptr, !llvm.ptr) attributes {kernel.partition = #kernel.partition<@part, chunks = 4, steps = [256, 0]>}
  llvm.func @part(%x: !llvm.ptr, %y: !llvm.ptr) {
    llvm.return
  }
}

// -----

// Fused kernels are one task: a chunk of the first is followed by the same chunk of the second.
// CHECK-LABEL: device.module @pair
// CHECK: llvm.func @plumb_task_0(%{{.*}}: !llvm.ptr, %[[GRAIN:.*]]: i64)
// CHECK: llvm.mul %[[GRAIN]], %
// CHECK: llvm.call @first(
// CHECK: llvm.mul %[[GRAIN]], %
// CHECK: llvm.call @second(
// CHECK: llvm.mlir.global internal constant @plumb_tasks_0() {{.*}} : !llvm.array<1 x struct<(ptr, i64)>>
device.module @pair {
  llvm.func @plumb_loop_train(%launch: !llvm.ptr) {
    %0 = llvm.load %launch : !llvm.ptr -> !llvm.ptr
    llvm.call @first_in_chunks(%0) : (!llvm.ptr) -> ()
    llvm.call @second_in_chunks(%0) {kernel.fused} : (!llvm.ptr) -> ()
    llvm.return
  }
  llvm.func @first_in_chunks(!llvm.ptr) attributes {kernel.partition = #kernel.partition<@first, chunks = 4, steps = [256]>}
  llvm.func @first(%x: !llvm.ptr) {
    llvm.return
  }
  llvm.func @second_in_chunks(!llvm.ptr) attributes {kernel.partition = #kernel.partition<@second, chunks = 4, steps = [256]>}
  llvm.func @second(%x: !llvm.ptr) {
    llvm.return
  }
}

// -----

// The frame holds each base address once; tasks add the offsets, large ones, too. An address that is selected at run time is
// in the frame itself.
// CHECK-LABEL: device.module @bases
// CHECK: llvm.func @plumb_task_0(%[[FRAME:.*]]: !llvm.ptr, %{{.*}}: i64)
// CHECK: %[[FIRST:.*]] = llvm.mlir.constant(0 : i64)
// CHECK: %[[SLOT:.*]] = llvm.getelementptr %[[FRAME]][%[[FIRST]]]
// CHECK: %[[ARENA:.*]] = llvm.load %[[SLOT]]
// CHECK: %[[NEAR:.*]] = llvm.mlir.constant(96 : i64)
// CHECK: %[[X:.*]] = llvm.getelementptr %[[ARENA]][%[[NEAR]]]
// CHECK: %[[FAR:.*]] = llvm.mlir.constant(6442450944 : i64)
// CHECK: %[[Y:.*]] = llvm.getelementptr %[[ARENA]][%[[FAR]]]
// CHECK: %[[CHOSEN:.*]] = llvm.load
// CHECK: %[[BYTES:.*]] = llvm.mlir.constant(3 : i64)
// CHECK: %[[MASK:.*]] = llvm.getelementptr %[[ARENA]][%[[BYTES]]]
// CHECK: %[[OVERWRITTEN:.*]] = llvm.load
// CHECK: llvm.call @part(%[[X]], %[[Y]], %[[CHOSEN]], %[[MASK]], %[[OVERWRITTEN]])
// CHECK: llvm.func @plumb_loop_train(
// CHECK: %[[NUMBER:.*]] = llvm.mlir.constant(3 : i64)
// CHECK: llvm.alloca %[[NUMBER]] x i64
// CHECK-COUNT-3: llvm.store
// CHECK-NOT: llvm.store
device.module @bases {
  llvm.func @plumb_loop_train(%launch: !llvm.ptr, %number: i64) {
    %arena = llvm.load %launch : !llvm.ptr -> !llvm.ptr
    %distance = llvm.mlir.constant(64 : i64) : i64
    %0 = llvm.getelementptr %arena[%distance] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %1 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64)>
    %2 = llvm.insertvalue %0, %1[0] : !llvm.struct<(ptr, ptr, i64)>
    %3 = llvm.insertvalue %0, %2[1] : !llvm.struct<(ptr, ptr, i64)>
    %4 = llvm.insertvalue %number, %3[2] : !llvm.struct<(ptr, ptr, i64)>
    %5 = llvm.extractvalue %4[1] : !llvm.struct<(ptr, ptr, i64)>
    %x = llvm.getelementptr %5[8] : (!llvm.ptr) -> !llvm.ptr, f32
    %far = llvm.mlir.constant(6442450944 : i64) : i64
    %y = llvm.getelementptr %arena[%far] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %chosen = llvm.getelementptr %arena[%number] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %mask = llvm.getelementptr %arena[3] : (!llvm.ptr) -> !llvm.ptr, i1
    %6 = llvm.mlir.poison : !llvm.struct<(array<2 x ptr>)>
    %7 = llvm.insertvalue %arena, %6[0, 1] : !llvm.struct<(array<2 x ptr>)>
    %pair = llvm.load %launch : !llvm.ptr -> !llvm.array<2 x ptr>
    %8 = llvm.insertvalue %pair, %7[0] : !llvm.struct<(array<2 x ptr>)>
    %overwritten = llvm.extractvalue %8[0, 1] : !llvm.struct<(array<2 x ptr>)>
    llvm.call @part_in_chunks(%x, %y, %chosen, %mask, %overwritten) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
    llvm.return
  }
  llvm.func @part_in_chunks(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr)
      attributes {kernel.partition = #kernel.partition<@part, chunks = 4, steps = [0, 0, 0, 0, 0]>}
  llvm.func @part(%x: !llvm.ptr, %y: !llvm.ptr, %z: !llvm.ptr, %m: !llvm.ptr, %o: !llvm.ptr) {
    llvm.return
  }
}
