; ModuleID = 'net'
source_filename = "net"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@loop_name = private constant [6 x i8] c"train\00"
@loops = private constant [1 x { ptr, ptr }] [{ ptr, ptr } { ptr @loop_name, ptr @plumb_loop_train }]
@table = private constant { i32, i32, ptr } { i32 3, i32 1, ptr @loops }
@plumb_manifest_start = hidden constant [880 x i8] c"4\00\00\00PLMB\00\00\00\00(\00<\00\04\00\08\00\0C\00\10\00\14\004\00\18\00\1C\00 \00\00\00\00\00\00\00\00\00\00\00$\00(\00,\000\00(\00\00\00\05\00\00\00\03\00\00\00(\03\00\00\08\03\00\00\F8\02\00\00\DC\02\00\00\C8\02\00\00\C0\01\00\00d\00\00\00\14\00\00\00\FF\FF\FF\FF\FF\FF\FF\FF\88Q'n\13X\E3+\01\00\00\00\14\00\00\00\00\00\0E\00\1C\00\04\00\08\00\0C\00\00\00\10\00\0E\00\00\00$\00\00\00\14\00\00\00\00\00\00\00\08\00\00\00\00\00\00\00\00\00\00\00\05\00\00\00train\00\00\00\05\00\00\00train\00\00\00\01\00\00\00\14\00\00\00\00\00\0E\00 \00\04\00\08\00\14\00\0C\00\10\00\0E\00\00\000\01\00\00\E0\00\00\00\04\00\00\00\1C\00\00\00@\00\00\00\00\00\00\00\00\00\00\00\0C\00\10\00\07\00\08\00\00\00\0C\00\0C\00\00\00\00\00\00\02@\00\00\00\04\00\00\00\01\00\00\00\0C\00\00\00\08\00\0E\00\07\00\08\00\08\00\00\00\00\00\00\03\0C\00\00\00\00\00\06\00\0E\00\04\00\06\00\00\00\01\00\00\00\00\00\00\00\00\00\06\00\08\00\04\00\06\00\00\00\04\00\00\00\01\00\00\00\10\00\00\00\0C\00\14\00\04\00\08\00\0C\00\10\00\0C\00\00\00L\00\00\00@\00\00\00,\00\00\00\04\00\00\00 \00\00\00This is no json, but bytes, rows\01\00\00\00\10\00\00\00\00\00\00\00\00\00\00\00\02\00\00\00i8\00\00\01\00\00\00x\00\00\00\01\00\00\00\0C\00\00\00\08\00\0C\00\04\00\08\00\08\00\00\000\00\00\00\0C\00\00\00\08\00\0C\00\07\00\08\00\08\00\00\00\00\00\00\04\04\00\00\00\02\00\00\00\01\00\00\00\00\00\00\00\10\00\00\00\00\00\00\00\01\00\00\00x\00\00\00\05\00\00\00train\00\00\00\11\00\00\00\F8\00\00\00\E8\00\00\00\DC\00\00\00\CC\00\00\00\BC\00\00\00\AC\00\00\00\9C\00\00\00\90\00\00\00\80\00\00\00p\00\00\00`\00\00\00T\00\00\00D\00\00\004\00\00\00$\00\00\00\14\00\00\00\04\00\00\00\05\00\00\00ssse3\00\00\00\06\00\00\00sse4.2\00\00\06\00\00\00sse4.1\00\00\04\00\00\00sse3\00\00\00\00\04\00\00\00sse2\00\00\00\00\03\00\00\00sse\00\06\00\00\00popcnt\00\00\05\00\00\00movbe\00\00\00\05\00\00\00lzcnt\00\00\00\03\00\00\00fma\00\04\00\00\00f16c\00\00\00\00\04\00\00\00cx16\00\00\00\00\05\00\00\00crc32\00\00\00\04\00\00\00bmi2\00\00\00\00\03\00\00\00bmi\00\04\00\00\00avx2\00\00\00\00\03\00\00\00avx\00\09\00\00\00x86-64-v3\00\00\00\13\00\00\00x86_64-pc-linux-gnu\00\07\00\00\00%t.mlir\00\17\00\00\00plumb 0.1 (LLVM 22.1.8)\00\03\00\00\00net\00", section ".plumb.manifest", align 64
@llvm.used = appending global [1 x ptr] [ptr @plumb_manifest_start], section "llvm.metadata"

@plumb_manifest_end = hidden alias i8, getelementptr inbounds (i8, ptr @plumb_manifest_start, i64 880)

; Function Attrs: nounwind
define hidden void @plumb_loop_train(ptr %0) #0 {
  %2 = load i64, ptr %0, align 4
  %3 = getelementptr i8, ptr %0, i64 40
  %4 = load ptr, ptr %3, align 8
  %5 = getelementptr i8, ptr %0, i64 32
  %6 = load ptr, ptr %5, align 8
  %7 = getelementptr i8, ptr %6, i64 128
  %8 = load ptr, ptr %7, align 8
  %9 = getelementptr i8, ptr %6, i64 136
  %10 = load i64, ptr %9, align 4
  %11 = getelementptr i8, ptr %6, i64 144
  %12 = load i64, ptr %11, align 4
  %13 = getelementptr i8, ptr %0, i64 24
  %14 = load ptr, ptr %13, align 8
  %15 = load ptr, ptr %14, align 8
  %16 = getelementptr i8, ptr %15, i64 144
  %17 = load i64, ptr %16, align 4
  %18 = getelementptr i8, ptr %15, i64 64
  %19 = load i64, ptr %18, align 4
  %20 = urem i64 %19, %17
  %21 = load i64, ptr %6, align 4
  %22 = urem i64 %21, %12
  %23 = alloca i32, align 4
  %24 = alloca i32, align 4
  call void @llvm.x86.sse.stmxcsr(ptr nonnull %23)
  %25 = load i32, ptr %23, align 4
  %26 = or i32 %25, 32832
  store i32 %26, ptr %24, align 4
  call void @llvm.x86.sse.ldmxcsr(ptr nonnull %24)
  %27 = getelementptr i8, ptr %6, i64 64
  %28 = getelementptr i8, ptr %0, i64 56
  %29 = getelementptr i8, ptr %0, i64 48
  br label %30

30:                                               ; preds = %42, %1
  %31 = phi i64 [ %53, %42 ], [ 0, %1 ]
  %32 = phi i64 [ %49, %42 ], [ %19, %1 ]
  %33 = phi i64 [ %52, %42 ], [ %20, %1 ]
  %34 = phi i64 [ %45, %42 ], [ %21, %1 ]
  %35 = phi i64 [ %48, %42 ], [ %22, %1 ]
  %.not = icmp ult i64 %31, %2
  br i1 %.not, label %36, label %.loopexit

36:                                               ; preds = %30
  %37 = load atomic i32, ptr %4 monotonic, align 4
  %.not1 = icmp eq i32 %37, 0
  br i1 %.not1, label %.preheader5, label %.loopexit

.preheader5:                                      ; preds = %36, %58
  %38 = load atomic i64, ptr %27 acquire, align 8
  %39 = sub i64 %34, %38
  %40 = icmp ult i64 %39, %12
  br i1 %40, label %.preheader, label %58

.preheader:                                       ; preds = %.preheader5, %61
  %41 = load atomic i64, ptr %15 acquire, align 8
  %.not3 = icmp eq i64 %41, %32
  br i1 %.not3, label %61, label %42

42:                                               ; preds = %.preheader
  %43 = mul i64 %35, %10
  %44 = getelementptr i8, ptr %8, i64 %43
  store i64 %31, ptr %44, align 4
  %45 = add i64 %34, 1
  store atomic i64 %45, ptr %6 release, align 8
  %46 = add i64 %35, 1
  %47 = icmp eq i64 %46, %12
  %48 = select i1 %47, i64 0, i64 %46
  %49 = add i64 %32, 1
  store atomic i64 %49, ptr %18 release, align 8
  %50 = add i64 %33, 1
  %51 = icmp eq i64 %50, %17
  %52 = select i1 %51, i64 0, i64 %50
  %53 = add i64 %31, 1
  br label %30

.loopexit:                                        ; preds = %36, %30, %58, %61
  %54 = phi i64 [ %31, %61 ], [ %31, %58 ], [ %31, %30 ], [ %31, %36 ]
  %55 = phi i32 [ %63, %61 ], [ %60, %58 ], [ 2, %36 ], [ 0, %30 ]
  %56 = getelementptr i8, ptr %0, i64 72
  store i64 %54, ptr %56, align 4
  %57 = getelementptr i8, ptr %0, i64 80
  store i32 %55, ptr %57, align 4
  call void @llvm.x86.sse.ldmxcsr(ptr nonnull %23)
  ret void

58:                                               ; preds = %.preheader5
  %59 = load ptr, ptr %28, align 8
  call void @llvm.x86.sse.ldmxcsr(ptr nonnull %23)
  %60 = call i32 %59(ptr nonnull %0) #2
  call void @llvm.x86.sse.ldmxcsr(ptr nonnull %24)
  %.not2 = icmp eq i32 %60, 0
  br i1 %.not2, label %.preheader5, label %.loopexit

61:                                               ; preds = %.preheader
  %62 = load ptr, ptr %29, align 8
  call void @llvm.x86.sse.ldmxcsr(ptr nonnull %23)
  %63 = call i32 %62(ptr nonnull %0, i32 0) #2
  call void @llvm.x86.sse.ldmxcsr(ptr nonnull %24)
  %.not4 = icmp eq i32 %63, 0
  br i1 %.not4, label %.preheader, label %.loopexit
}

; Function Attrs: nounwind memory(argmem: write)
declare void @llvm.x86.sse.stmxcsr(ptr) #1

; Function Attrs: nounwind
declare void @llvm.x86.sse.ldmxcsr(ptr) #2

; Function Attrs: nounwind
define ptr @plumb_executable_query(i32 %0) #0 {
  %2 = icmp eq i32 %0, 3
  %3 = select i1 %2, ptr @table, ptr null
  ret ptr %3
}

attributes #0 = { nounwind "stackrealign" "target-cpu"="x86-64-v3" }
attributes #1 = { nounwind memory(argmem: write) }
attributes #2 = { nounwind }

!llvm.module.flags = !{!0}

!0 = !{i32 2, !"Debug Info Version", i32 3}
