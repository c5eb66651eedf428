// RUN: plumb-opt %s --plumb-annotate-column-ranges | FileCheck %s

device.module @train {
  // Through a cast and a reshape; the smaller of two numbers of classes holds.
  // CHECK: device.queue @labels columns ["image", "label"] (tensor<2x4xf32>, tensor<2x1xi64>) depth(4) {device.ranges = [{}, {highest = 3 : i64, lowest = 0 : i64, use = ""}]}
  device.queue @labels columns ["image", "label"] (tensor<2x4xf32>, tensor<2x1xi64>) depth(4)
  device.report @loss : tensor<2xf32>
  device.loop @labels {mode = "train"} {
    %x, %c = device.get_next @labels : tensor<2x4xf32>, tensor<2x1xi64>
    %i = net.cast %c to i32 : (tensor<2x1xi64>) -> tensor<2x1xi32>
    %v = net.reshape %i to [2] : (tensor<2x1xi32>) -> tensor<2xi32>
    %p = net.pad %x low [0, 0] high [0, 3] value 0.0 : (tensor<2x4xf32>) -> tensor<2x7xf32>
    %m = net.sparse_softmax_cross_entropy %p, %v : (tensor<2x7xf32>, tensor<2xi32>) -> tensor<2xf32>
    %l = net.sparse_softmax_cross_entropy %x, %v : (tensor<2x4xf32>, tensor<2xi32>) -> tensor<2xf32>
    %s = net.add %l, %m : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    device.emit @loss, %s : tensor<2xf32>
    device.yield
  }

  // Labels that the step computes are its own affair.
  // CHECK: device.queue @computed columns ["image", "label"] (tensor<2x4xf32>, tensor<2xi32>) depth(4){{$}}
  device.queue @computed columns ["image", "label"] (tensor<2x4xf32>, tensor<2xi32>) depth(4)
  device.report @computed.loss : tensor<2xf32>
  device.loop @computed {mode = "train"} {
    %x, %c = device.get_next @computed : tensor<2x4xf32>, tensor<2xi32>
    %d = net.add %c, %c : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %l = net.sparse_softmax_cross_entropy %x, %d : (tensor<2x4xf32>, tensor<2xi32>) -> tensor<2xf32>
    device.emit @computed.loss, %l : tensor<2xf32>
    device.yield
  }

  // Indices of a tensor, here of two: those that both have. Negative ones count from the end where the program says so; the
  // line is the user's, not that of the layer which it calls.
  // CHECK: device.queue @indices columns ["i", "j"] (tensor<2xi16>, tensor<3xi32>) depth(4)
  // CHECK-SAME: device.ranges = [{highest = 4 : i64, lowest = 0 : i64, use = "indices along axis 0 of a tensor of shape (5, 3) at net.py:7:3"},
  // CHECK-SAME: {highest = 2 : i64, lowest = -3 : i64, use = "indices along axis 1 of a tensor of shape (5, 3) at net.py:9:1"}]
  device.queue @indices columns ["i", "j"] (tensor<2xi16>, tensor<3xi32>) depth(4)
  device.report @rows : tensor<2x3xf32>
  device.report @more : tensor<2xf32>
  device.report @columns : tensor<5x3xf32>
  device.variable @table : tensor<5x3xf32> = dense<0.0> : tensor<5x3xf32>
  device.variable @long : tensor<9xf32> = dense<0.0> : tensor<9xf32>
  device.loop @indices {mode = "train"} {
    %i, %j = device.get_next @indices : tensor<2xi16>, tensor<3xi32>
    %t = device.read @table : tensor<5x3xf32>
    %l = device.read @long : tensor<9xf32>
    %more = net.gather %l, %i axis 0 : (tensor<9xf32>, tensor<2xi16>) -> tensor<2xf32>
    %rows = net.gather %t, %i axis 0 : (tensor<5x3xf32>, tensor<2xi16>) -> tensor<2x3xf32> loc(callsite("/x/plumb/nn/layer/embedding.py":20:5 at callsite("net.py":7:3 at "main.py":1:1)))
    %columns = net.gather %t, %j axis -1 wrap : (tensor<5x3xf32>, tensor<3xi32>) -> tensor<5x3xf32> loc("net.py":9:1)
    device.emit @more, %more : tensor<2xf32>
    device.emit @rows, %rows : tensor<2x3xf32>
    device.emit @columns, %columns : tensor<5x3xf32>
    device.yield
  }
}
