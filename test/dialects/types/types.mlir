// RUN: plumb-opt %s | FileCheck %s

// CHECK-LABEL: func.func @elements(
func.func @elements(%a: tensor<4xi1>, %b: tensor<0x3xi8>, %c: tensor<1xi16>, %d: tensor<i32>, %e: tensor<4xi64>, %f: tensor<4xui8>,
                    %g: tensor<4xui16>, %h: tensor<4xui32>, %i: tensor<4xui64>, %j: tensor<4xf16>, %k: tensor<4xbf16>,
                    %l: tensor<4xf64>, %m: tensor<35184372088832xf32>) {
  // CHECK-COUNT-13: net.neg
  %0 = net.neg %a : tensor<4xi1>
  %1 = net.neg %b : tensor<0x3xi8>
  %2 = net.neg %c : tensor<1xi16>
  %3 = net.neg %d : tensor<i32>
  %4 = net.neg %e : tensor<4xi64>
  %5 = net.neg %f : tensor<4xui8>
  %6 = net.neg %g : tensor<4xui16>
  %7 = net.neg %h : tensor<4xui32>
  %8 = net.neg %i : tensor<4xui64>
  %9 = net.neg %j : tensor<4xf16>
  %10 = net.neg %k : tensor<4xbf16>
  %11 = net.neg %l : tensor<4xf64>
  %12 = net.neg %m : tensor<35184372088832xf32>
  return
}
