// RUN: plumb-opt %s | plumb-opt | FileCheck %s
//
// Namespaces, cells, parameters, functions and the entry: syntax survives printing and parsing.

// CHECK: net.namespace @ops {reshape = #net.primitive<"reshape">}
net.namespace @ops {reshape = #net.primitive<"reshape">}

// CHECK: net.cell @network class "LeNet5" members {batch_size = 32 : i64, conv1 = @network.conv1} methods {construct = @LeNet5.construct}
net.cell @network class "LeNet5" members {batch_size = 32 : i64, conv1 = @"network.conv1"} methods {construct = @LeNet5.construct}

// CHECK: net.parameter @w : tensor<6x1x5x5xf32> = #net.init<"truncated_normal", [2.000000e-02], stream = 3>
net.parameter @w : tensor<6x1x5x5xf32> = #net.init<"truncated_normal", [2.0e-2], stream = 3> {requires_grad = true}

// CHECK: net.parameter @b : tensor<6xf32> = dense<0.000000e+00> : tensor<6xf32> {requires_grad = false}
net.parameter @b : tensor<6xf32> = dense<0.0> : tensor<6xf32> {requires_grad = false}

// CHECK: net.python.func @LeNet5.construct(self, x, axis = -1 : i64) names {ops = @ops} {
net.python.func @LeNet5.construct(self, x, axis = -1 : i64) names {ops = @ops} {
  %0 = net.python.load "x"
  net.python.return %0
}

// CHECK: net.python.func @collect(first, last = #net.none) names {} attributes {keyword_only = 1 : i64, star_args = "rest", star_kwargs = "options"} {
net.python.func @collect(first, last = #net.none) names {} attributes {keyword_only = 1 : i64, star_args = "rest", star_kwargs = "options"} {
}

// CHECK: net.entry @train calls @network (tensor<32x1x32x32xf32>, tensor<32xi32>) {columns = ["image", "label"], depth = 16 : i64, epochs = 10 : i64, mode = "train", queue = "train", reports = ["loss"], sink_size = 1000 : i64}
net.entry @train calls @network (tensor<32x1x32x32xf32>, tensor<32xi32>) {mode = "train", queue = "train", columns = ["image", "label"], depth = 16 : i64, sink_size = 1000 : i64, epochs = 10 : i64, reports = ["loss"]}

// Python objects that stand in members.
// CHECK: bound = #net.method<@LeNet5.construct, self = @network>
// CHECK-SAME: gradient = #net.grad<fn = @LeNet5.construct, argnums = [0], weights = [@w], value = true, has_aux = false, sens = false>
// CHECK-SAME: mean = #net.primitive<"reduce_mean", {keep_dims = false}>
// CHECK-SAME: nothing = #net.none
net.namespace @objects {bound = #net.method<@LeNet5.construct, self = @network>, gradient = #net.grad<fn = @LeNet5.construct, argnums = [0], weights = [@w], value = true, has_aux = false, sens = false>, mean = #net.primitive<"reduce_mean", {keep_dims = false}>, nothing = #net.none}
