// RUN: plumb-opt --plumb-specialize-programs %s | FileCheck %s

// Everything here is computed now: only the last operation is left.

// CHECK-LABEL: func.func private @known
// CHECK-NEXT:    %[[C:.*]] = net.constant dense<[1.500000e+00, 2.000000e+00, 3.000000e+00, -2.000000e+00]>
// CHECK-NEXT:    net.add %{{.*}}, %[[C]]
net.python.func @known(x) names {} {
  %x = net.python.load "x"
  %two = net.python.constant 2 : i64
  %three = net.python.constant 3.0 : f64
  // 3.0 / 2
  %0 = net.python.operator "truediv"(%three, %two)
  // len(range(2))
  %len = net.python.constant #net.primitive<"builtins.len">
  %range = net.python.constant #net.primitive<"builtins.range">
  %1 = net.python.call %range(%two)
  %2 = net.python.call %len(%1)
  // max(x.shape) - 1
  %max = net.python.constant #net.primitive<"builtins.max">
  %3 = net.python.getattr %x, "shape"
  %4 = net.python.call %max(%3)
  %one = net.python.constant 1 : i64
  %5 = net.python.operator "sub"(%4, %one)
  // -3 // 2
  %6 = net.python.constant -3 : i64
  %7 = net.python.operator "floordiv"(%6, %two)
  // isinstance(x, (tuple, Tensor)), "re" in "relu"
  %isinstance = net.python.constant #net.primitive<"builtins.isinstance">
  %types = net.python.constant [#net.primitive<"builtins.tuple">, #net.primitive<"tensor">]
  %8 = net.python.call %isinstance(%x, %types)
  net.python.assert %8, "x is a tensor"
  %re = net.python.constant "re"
  %relu = net.python.constant "relu"
  %9 = net.python.operator "in"(%re, %relu)
  net.python.assert %9, "re is in relu"
  // [a, b] grows; zip pairs; sum adds
  %make = net.python.constant #net.primitive<"builtins.make_list">
  %list = net.python.call %make(%0, %2)
  %append = net.python.getattr %list, "append"
  %10 = net.python.call %append(%5)
  %11 = net.python.call %append(%7)
  %zip = net.python.constant #net.primitive<"builtins.zip">
  %12 = net.python.call %zip(%list, %3)
  %13 = net.python.call %len(%12)
  %14 = net.python.operator "eq"(%13, %one)
  net.python.assert %14, "zip ends with the shorter one"
  %tensor = net.python.constant #net.primitive<"tensor">
  %float32 = net.python.constant f32
  %15 = net.python.call %tensor(%list, %float32)
  %16 = net.python.operator "add"(%x, %15)
  net.python.return %16
}
net.entry @train calls @known (tensor<4xf32>)

// math on numbers, select with a number beside a tensor, concat of a tuple,
// arithmetic on bools.

// CHECK-LABEL: func.func private @mixed
// CHECK:         %[[S:.*]] = net.select %{{.*}}, %{{.*}}, %{{.*}} : {{.*}} -> tensor<4xf32>
// CHECK:         %[[C:.*]] = net.constant dense<3.000000e+00> : tensor<f32>
// CHECK:         %[[M:.*]] = net.mul %[[S]], %[[C]]
// CHECK:         net.concat %[[M]], %[[S]] axis 0 : {{.*}} -> tensor<8xf32>
// CHECK:         net.add %{{.*}} : (tensor<4xi32>, tensor<4xi32>)
net.python.func @mixed(x) names {} {
  %x = net.python.load "x"
  %zero = net.python.constant 0 : i64
  %0 = net.python.operator "gt"(%x, %zero)
  %select = net.python.constant #net.primitive<"select">
  %1 = net.python.call %select(%0, %x, %zero)
  %sqrt = net.python.constant #net.primitive<"math.sqrt">
  %nine = net.python.constant 9 : i64
  %2 = net.python.call %sqrt(%nine)
  %3 = net.python.operator "mul"(%1, %2)
  %concat = net.python.constant #net.primitive<"concat">
  %4 = net.python.tuple(%3, %1)
  %5 = net.python.call %concat(%4, %zero)
  %6 = net.python.operator "add"(%0, %0)
  %7 = net.python.tuple(%5, %6)
  net.python.return %7
}
net.entry @mixed_entry calls @mixed (tensor<4xf32>)

// What a call passes is known where its value is asked for: the function stands there once per value.

// CHECK-LABEL: func.func private @counts
// CHECK:         call @count_1(%{{.*}}) : (tensor<i64>) -> ()
// CHECK:         call @count_2(%{{.*}}) : (tensor<i64>) -> ()
// CHECK:         %[[FOUR:.*]] = net.constant dense<4.000000e+00>
// CHECK-NEXT:    net.mul %{{.*}}, %[[FOUR]]
// CHECK:         %[[FIVE:.*]] = net.constant dense<5.000000e+00>
// CHECK-NEXT:    net.mul %{{.*}}, %[[FIVE]]
net.python.func @count(n) names {} {
  // len(range(n + 1))
  %n = net.python.load "n"
  %one = net.python.constant 1 : i64
  %0 = net.python.operator "add"(%n, %one)
  %range = net.python.constant #net.primitive<"builtins.range">
  %1 = net.python.call %range(%0)
  %len = net.python.constant #net.primitive<"builtins.len">
  %2 = net.python.call %len(%1)
  net.python.return %2
}
net.python.func @counts(x) names {} {
  %x = net.python.load "x"
  %count = net.python.constant @count
  %two = net.python.constant dense<2> : tensor<i64>
  %one = net.python.constant 1 : i64
  %0 = net.python.operator "add"(%two, %one)
  %1 = net.python.call %count(%0)
  %2 = net.python.operator "add"(%0, %one)
  %3 = net.python.call %count(%2)
  %4 = net.python.operator "mul"(%x, %1)
  %5 = net.python.operator "mul"(%x, %3)
  %6 = net.python.tuple(%4, %5)
  net.python.return %6
}
net.entry @counting calls @counts (tensor<4xf32>)

// A generator calls its function when an item is taken.

// CHECK-LABEL: func.func private @take_first_1(
// CHECK:         call @square_1
// CHECK-NEXT:    return
net.python.func @square(v) names {} {
  %0 = net.python.load "v"
  %1 = net.python.operator "mul"(%0, %0)
  %2 = net.python.tuple(%1)
  net.python.return %2
}
net.python.func @take_first(x) names {} {
  %0 = net.python.load "x"
  %1 = net.python.tuple(%0, %0)
  %2 = net.python.constant #net.primitive<"builtins.generator">
  %3 = net.python.constant @square
  %4 = net.python.constant "generator"
  %5 = net.python.call %2(%3, %1, %4)
  %6 = net.python.constant #net.primitive<"builtins.next">
  %7 = net.python.call %6(%5)
  net.python.return %7
}
net.entry @train_first calls @take_first (tensor<4xf32>)

// map() of two iterables gives its function the parts of a row; of several loops a generator goes through what its
// function makes of an item.

// CHECK-LABEL: func.func private @take_product_1(
// CHECK:         call @product_1
// CHECK-NEXT:    return
net.python.func @product(a, b) names {} {
  %0 = net.python.load "a"
  %1 = net.python.load "b"
  %2 = net.python.operator "mul"(%0, %1)
  net.python.return %2
}
net.python.func @products(rows) names {} {
  %0 = net.python.load "rows"
  %1 = net.python.constant #net.primitive<"builtins.generator">
  %2 = net.python.constant @product
  %3 = net.python.constant "starmap"
  %4 = net.python.call %1(%2, %0, %3)
  net.python.return %4
}
net.python.func @take_product(x) names {} {
  %0 = net.python.load "x"
  %1 = net.python.tuple(%0, %0)
  %2 = net.python.tuple(%1, %1)
  %3 = net.python.tuple()
  %4 = net.python.tuple(%3, %2)
  %5 = net.python.constant #net.primitive<"builtins.generator">
  %6 = net.python.constant @products
  %7 = net.python.constant "nested"
  %8 = net.python.call %5(%6, %4, %7)
  %9 = net.python.constant #net.primitive<"builtins.next">
  %10 = net.python.call %9(%8)
  net.python.return %10
}
net.entry @train_product calls @take_product (tensor<4xf32>)
