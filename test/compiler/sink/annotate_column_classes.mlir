// RUN: plumb-opt %s --plumb-annotate-column-classes | FileCheck %s

device.module @train {
  // Through a cast and a reshape; the smaller of two numbers of classes holds.
  // CHECK: device.queue @labels columns ["image", "label"] (tensor<2x4xf32>, tensor<2x1xi64>) depth(4) {device.classes = array<i64: 0, 4>}
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
}
