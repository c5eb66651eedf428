// RUN: plumb-opt %s --split-input-file --verify-diagnostics

// rebase_c1
func.func @dynamic(%x: memref<8x16xf32, strided<[1024, 1], offset: ?>>) {
  // expected-error @+1 {{source must have static strides and a static offset, got 'memref<8x16xf32, strided<[1024, 1], offset: ?>>'}}
  %0 = kernel.rebase %x : memref<8x16xf32, strided<[1024, 1], offset: ?>> to memref<8x16xf32, strided<[1024, 1]>>
  return
}

// -----

// rebase_c1
func.func @spread(%x: memref<8x16xf32, strided<[?, 1], offset: 4>>) {
  // expected-error @+1 {{source must have static strides and a static offset}}
  %0 = kernel.rebase %x : memref<8x16xf32, strided<[?, 1], offset: 4>> to memref<8x16xf32>
  return
}

// -----

// rebase_c2
func.func @shifted(%x: memref<8x16xf32, strided<[1024, 1], offset: 32>>) {
  // expected-error @+1 {{result must be 'memref<8x16xf32, strided<[1024, 1]>>', got 'memref<8x16xf32, strided<[1024, 1], offset: 16>>'}}
  %0 = kernel.rebase %x : memref<8x16xf32, strided<[1024, 1], offset: 32>> to memref<8x16xf32, strided<[1024, 1], offset: 16>>
  return
}

// -----

// rebase_c2
func.func @dense(%x: memref<8x16xf32, strided<[16, 1], offset: 32>>) {
  // expected-error @+1 {{result must be 'memref<8x16xf32>', got 'memref<8x16xf32, strided<[16, 1]>>'}}
  %0 = kernel.rebase %x : memref<8x16xf32, strided<[16, 1], offset: 32>> to memref<8x16xf32, strided<[16, 1]>>
  return
}

// -----

// rebase_c2
func.func @other(%x: memref<8x16xf32, strided<[1024, 1], offset: 32>>) {
  // expected-error @+1 {{result must be 'memref<8x16xf32, strided<[1024, 1]>>', got 'memref<16x8xf32>'}}
  %0 = kernel.rebase %x : memref<8x16xf32, strided<[1024, 1], offset: 32>> to memref<16x8xf32>
  return
}
