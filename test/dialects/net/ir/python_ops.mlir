// RUN: plumb-opt %s | plumb-opt | FileCheck %s
//
// Statements and expressions of Python functions: syntax survives printing and parsing.

// CHECK-LABEL: net.python.func @expressions
net.python.func @expressions(self, f) names {} {
  // CHECK: %[[X:.*]] = net.python.load "x"
  %0 = net.python.load "x"
  // CHECK: net.python.constant 3 : i64
  %1 = net.python.constant 3 : i64
  // CHECK: net.python.getattr %[[X]], "shape"
  %2 = net.python.getattr %0, "shape"
  // CHECK: net.python.setattr %[[X]], "weight"
  net.python.setattr %0, "weight", %1
  // CHECK: net.python.call %{{.*}}(%{{.*}}, %{{.*}}) names ["", "axis"]
  %3 = net.python.call %2(%0, %1) names ["", "axis"]
  // CHECK: net.python.call %{{.*}}()
  %4 = net.python.call %2()
  // CHECK: net.python.operator "add"(%{{.*}}, %{{.*}})
  %5 = net.python.operator "add"(%0, %1)
  // CHECK: net.python.slice(%{{.*}}, %{{.*}}, %{{.*}})
  %6 = net.python.slice(%0, %1, %1)
  // CHECK: net.python.subscript %{{.*}}[%{{.*}}]
  %7 = net.python.subscript %0[%6]
  // CHECK: net.python.setitem %{{.*}}[%{{.*}}], %{{.*}}
  %10 = net.python.setitem %0[%6], %7
  // CHECK: net.python.setitem %{{.*}}[%{{.*}}], %{{.*}} bare
  %11 = net.python.setitem %0[%6], %7 bare
  // CHECK: net.python.tuple(%{{.*}}, %{{.*}})
  %8 = net.python.tuple(%0, %1)
  // CHECK: net.python.dict ["k"](%{{.*}})
  %9 = net.python.dict ["k"](%0)
  // CHECK: net.python.return
  net.python.return %9
}

// CHECK-LABEL: net.python.func @statements
net.python.func @statements(c, xs) names {} {
  %c = net.python.load "c"
  // CHECK: net.python.if %{{.*}} {
  // CHECK-NEXT: net.python.store "x"
  // CHECK-NEXT: } else {
  // CHECK-NEXT: net.python.raise "unsupported mode"
  net.python.if %c {
    net.python.store "x", %c
  } else {
    net.python.raise "unsupported mode"
  }
  // CHECK: net.python.if %{{.*}} {
  // CHECK-NEXT: }
  // CHECK-NOT: else
  net.python.if %c {
  }
  // CHECK: net.python.while {
  // CHECK: net.python.condition
  // CHECK: } do {
  // CHECK: net.python.break
  net.python.while {
    %go = net.python.load "go"
    net.python.condition %go
  } do {
    net.python.break
  }
  %xs = net.python.load "xs"
  // CHECK: net.python.for "i" in %{{.*}} {
  // CHECK: net.python.continue
  net.python.for "i" in %xs {
    net.python.continue
  }
  // CHECK: net.python.try {
  // CHECK-NEXT: net.python.raise "ValueError: no"
  // CHECK-NEXT: } except {
  // CHECK-NEXT: net.python.store "x"
  // CHECK-NEXT: } finally {
  // CHECK-NEXT: net.python.store "y"
  net.python.try {
    net.python.raise "ValueError: no"
  } except {
    net.python.store "x", %c
  } finally {
    net.python.store "y", %c
  }
  // CHECK: net.python.assert %{{.*}}, "batch must be even"
  net.python.assert %c, "batch must be even"
}
