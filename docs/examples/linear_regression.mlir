// Linear regression as a net module, written by hand: no Python is needed to compile or to train it.
//
//   bazel-bin/tools/plumbc docs/examples/linear_regression.mlir -o /tmp/linear.plumb
//   bazel-bin/tools/plumb-run /tmp/linear.plumb
//
// The data set is 32 rows of y = 2*x0 - 3*x1 + 0.5, held in the queue's pipeline.

net.parameter @weight : tensor<2x1xf32> = dense<0.0> : tensor<2x1xf32>
net.parameter @bias : tensor<1xf32> = dense<0.0> : tensor<1xf32>

net.python.func @forward(x, y) names {weight = @weight, bias = @bias, matmul = #net.primitive<"matmul">, square = #net.primitive<"square">, mean = #net.primitive<"reduce_mean">} {
  %matmul = net.python.load "matmul"
  %x = net.python.load "x"
  %weight = net.python.load "weight"
  %product = net.python.call %matmul(%x, %weight)
  %bias = net.python.load "bias"
  %prediction = net.python.operator "add"(%product, %bias)
  %y = net.python.load "y"
  %difference = net.python.operator "sub"(%prediction, %y)
  %square = net.python.load "square"
  %squared = net.python.call %square(%difference)
  %mean = net.python.load "mean"
  %loss = net.python.call %mean(%squared)
  net.python.return %loss
}

net.python.func @step(x, y) names {value_and_grad = #net.grad<fn = @forward, argnums = [], weights = [@weight, @bias], value = true, has_aux = false, sens = false>, weight = @weight, bias = @bias, assign = #net.primitive<"assign">} {
  %value_and_grad = net.python.load "value_and_grad"
  %x = net.python.load "x"
  %y = net.python.load "y"
  %both = net.python.call %value_and_grad(%x, %y)
  %zero = net.python.constant 0 : i64
  %one = net.python.constant 1 : i64
  %loss = net.python.subscript %both[%zero]
  %grads = net.python.subscript %both[%one]
  %rate = net.python.constant 1.0e-1 : f64
  %assign = net.python.load "assign"

  %weight = net.python.load "weight"
  %weight_grad = net.python.subscript %grads[%zero]
  %weight_change = net.python.operator "mul"(%rate, %weight_grad)
  %weight_next = net.python.operator "sub"(%weight, %weight_change)
  %0 = net.python.call %assign(%weight, %weight_next)

  %bias = net.python.load "bias"
  %bias_grad = net.python.subscript %grads[%one]
  %bias_change = net.python.operator "mul"(%rate, %bias_grad)
  %bias_next = net.python.operator "sub"(%bias, %bias_change)
  %1 = net.python.call %assign(%bias, %bias_next)
  net.python.return %loss
}

net.entry @train calls @step (tensor<8x2xf32>, tensor<8x1xf32>) {
  mode = "train", queue = "train", columns = ["x", "y"], depth = 4 : i64, sink_size = 20 : i64, epochs = 10 : i64,
  reports = ["loss"],
  pipeline = "{\"source_type\":\"ArraySource\",\"source\":{\"columns\":[{\"name\":\"x\",\"element\":\"f32\",\"shape\":[2],\"bytes\":[0,0,128,62,113,61,74,63,205,204,12,63,205,204,12,191,205,204,204,190,0,0,64,63,164,112,125,191,10,215,35,63,61,10,23,63,143,194,117,189,20,174,199,190,174,71,225,190,72,225,250,190,174,71,225,189,10,215,35,60,174,71,225,61,164,112,125,63,61,10,23,63,143,194,117,62,72,225,122,63,133,235,17,191,123,20,46,191,31,133,107,62,195,245,104,191,123,20,110,191,143,194,245,60,41,92,143,189,225,122,84,63,184,30,133,62,143,194,245,60,10,215,35,188,0,0,0,191,72,225,122,191,82,184,30,191,92,143,194,62,154,153,25,191,184,30,133,190,164,112,125,191,195,245,40,63,215,163,48,191,31,133,235,190,92,143,66,63,10,215,163,60,215,163,48,63,41,92,143,62,143,194,245,62,133,235,81,191,10,215,163,61,10,215,163,60,164,112,61,63,41,92,143,190,205,204,76,62,174,71,97,191,174,71,97,190,51,51,179,190,51,51,51,191,174,71,33,63,143,194,117,190,143,194,117,63,236,81,56,62,61,10,87,62,41,92,143,62,51,51,179,62,51,51,51,191]},{\"name\":\"y\",\"element\":\"f32\",\"shape\":[1],\"bytes\":[42,92,175,191,0,0,80,64,51,51,35,192,154,153,89,192,122,20,238,63,184,30,133,63,156,153,25,190,94,143,66,62,144,194,53,63,72,225,250,191,51,51,179,63,246,40,108,64,154,153,185,191,236,81,8,192,122,20,110,63,164,112,253,63,204,204,204,62,10,215,67,64,205,204,60,64,194,245,120,64,205,204,44,192,10,215,195,191,90,143,194,190,215,163,176,191,62,10,215,191,196,245,40,191,154,153,25,191,50,51,243,63,82,184,30,64,214,163,240,63,4,215,163,61,51,51,83,64]}]},\"sampler_shuffle\":true,\"nodes\":[{\"node_type\":\"Batch\",\"node\":{\"size\":8,\"drop_remainder\":true}}]}"
}
