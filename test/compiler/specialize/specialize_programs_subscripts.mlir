// RUN: plumb-opt --plumb-specialize-programs --split-input-file %s | FileCheck %s

// x[1:, 0], x[None, ..., -1], x[idx]: one box, one gather, one reshape at most.

// CHECK-LABEL: func.func private @indices
// CHECK:         %[[A:.*]] = net.slice %{{.*}} from [1, 0] to [3, 1] by [1, 1] : (tensor<3x4xf32>) -> tensor<2x1xf32>
// CHECK:         %[[A1:.*]] = net.reshape %[[A]] to [2]
// CHECK:         %[[B:.*]] = net.slice %{{.*}} from [0, 3] to [3, 4]
// CHECK:         %[[B1:.*]] = net.reshape %[[B]] to [1, 3]
// CHECK:         %[[C:.*]] = net.gather
// CHECK:         return %[[A1]], %[[B1]], %[[C]]
net.python.func @indices(x, idx) names {} {
  %x = net.python.load "x"
  %idx = net.python.load "idx"
  %none = net.python.constant #net.none
  %zero = net.python.constant 0 : i64
  %one = net.python.constant 1 : i64
  %minus = net.python.constant -1 : i64
  %dots = net.python.constant #net.primitive<"builtins.Ellipsis">
  %tail = net.python.slice(%one, %none, %none)
  %0 = net.python.tuple(%tail, %zero)
  %1 = net.python.subscript %x[%0]
  %2 = net.python.tuple(%none, %dots, %minus)
  %3 = net.python.subscript %x[%2]
  %4 = net.python.subscript %x[%idx]
  %5 = net.python.tuple(%1, %3, %4)
  net.python.return %5
}
net.entry @train calls @indices (tensor<3x4xf32>, tensor<2xi32>)

// -----

// A slice that the live process has made is one like any other.

// CHECK-LABEL: func.func private @kept_slice
// CHECK:         net.slice %{{.*}} from [1, 0] to [3, 4] by [1, 1] : (tensor<3x4xf32>) -> tensor<2x4xf32>
net.python.func @kept_slice(x) names {} {
  %x = net.python.load "x"
  %rows = net.python.constant #net.primitive<"builtins.slice", {items = [1, #net.none, #net.none]}>
  %0 = net.python.subscript %x[%rows]
  net.python.return %0
}
net.entry @train calls @kept_slice (tensor<3x4xf32>)

// -----

// x[::-2]: the same elements in ascending order, then gathered backwards.

// CHECK-LABEL: func.func private @backwards
// CHECK:         %[[A:.*]] = net.slice %{{.*}} from [1] to [6] by [2] : (tensor<6xf32>) -> tensor<3xf32>
// CHECK:         %[[I:.*]] = net.constant dense<[2, 1, 0]> : tensor<3xi64>
// CHECK:         net.gather %[[A]], %[[I]] axis 0 :
net.python.func @backwards(x) names {} {
  %x = net.python.load "x"
  %none = net.python.constant #net.none
  %step = net.python.constant -2 : i64
  %0 = net.python.slice(%none, %none, %step)
  %1 = net.python.subscript %x[%0]
  net.python.return %1
}
net.entry @train calls @backwards (tensor<6xf32>)

// -----

// x[1:, 0] = v replaces a box; the name holds a new tensor.

// CHECK-LABEL: func.func private @stores
// CHECK-SAME:    (%[[X:.*]]: tensor<3x4xf32>, %[[V:.*]]: tensor<2xf32>)
// CHECK:         %[[U:.*]] = net.reshape %[[V]] to [2, 1]
// CHECK:         %[[Y:.*]] = net.slice_update %[[U]] into %[[X]] from [1, 0] by [1, 1]
// CHECK:         return %[[X]], %[[Y]]
net.python.func @stores(x, v) names {} {
  %x = net.python.load "x"
  %v = net.python.load "v"
  %none = net.python.constant #net.none
  %zero = net.python.constant 0 : i64
  %one = net.python.constant 1 : i64
  %tail = net.python.slice(%one, %none, %none)
  %0 = net.python.tuple(%tail, %zero)
  %1 = net.python.setitem %x[%0], %v
  net.python.store "x", %1
  %2 = net.python.load "x"
  %3 = net.python.tuple(%x, %2)
  net.python.return %3
}
net.entry @train calls @stores (tensor<3x4xf32>, tensor<2xf32>)

// -----

// Two indices choose: one number per pair, made of indices that are inside of their axes.

// CHECK-LABEL: func.func private @pairs
// CHECK:         %[[ALL:.*]] = net.reshape %{{.*}} to [12]
// CHECK:         %[[I:.*]] = net.from_front %{{.*}} extent 3
// CHECK:         %[[J:.*]] = net.from_front %{{.*}} extent 4
// CHECK:         %[[ROWS:.*]] = net.mul %[[I]], %{{.*}}
// CHECK:         %[[PLACES:.*]] = net.add %[[ROWS]], %[[J]]
// CHECK:         net.gather %[[ALL]], %[[PLACES]] axis 0 :
net.python.func @pairs(x, i, j) names {} {
  %x = net.python.load "x"
  %i = net.python.load "i"
  %j = net.python.load "j"
  %0 = net.python.tuple(%i, %j)
  %1 = net.python.subscript %x[%0]
  net.python.return %1
}
net.entry @train calls @pairs (tensor<3x4xf32>, tensor<2xi32>, tensor<2xi64>)

// -----

// An element of a tuple by a tensor: an index out of range raises, whether or not anything uses the element.

// CHECK-LABEL: func.func private @chosen
// CHECK:         %[[K:.*]] = net.select
// CHECK-DAG:     net.less %[[K]]
// CHECK-DAG:     net.greater_equal %[[K]]
// CHECK:         %[[FAILS:.*]] = net.cast %{{.*}} : (tensor<i1>) -> tensor<i32>
// CHECK:         check.assert %[[FAILS]]{{.*}} "IndexError: tuple index out of range"
net.python.func @chosen(x, i) names {} {
  %x = net.python.load "x"
  %i = net.python.load "i"
  %0 = net.python.tuple(%x, %x)
  %1 = net.python.subscript %0[%i]
  net.python.return %x
}
net.entry @train calls @chosen (tensor<4xf32>, tensor<i32>)
