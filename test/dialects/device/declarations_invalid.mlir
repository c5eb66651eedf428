// RUN: plumb-opt %s --split-input-file --verify-diagnostics

device.module @m {
  // expected-error @+1 {{initial value must be #device.init or elements of type 'tensor<4xf32>', got tensor<3xf32>}}
  device.variable @w : tensor<4xf32> = dense<0.0> : tensor<3xf32>
}

// -----

device.module @m {
  // expected-error @+1 {{offset must be a multiple of 64, got 12}}
  device.variable @w : tensor<4xf32> = dense<0.0> : tensor<4xf32> {offset = 12 : i64}
}

// -----

device.module @m {
  // expected-error @+1 {{a parameter of rule 'normal' must be an f64 number, got 3 : i64}}
  device.variable @w : tensor<4xf32> = #device.init<"normal", [3 : i64]>
}

// -----

device.module @m {
  // expected-error @+1 {{has 2 column names for 1 types}}
  device.queue @q columns ["x", "y"] (tensor<4xf32>) depth(2)
}

// -----

device.module @m {
  // expected-error @+1 {{depth must be between 1 and 65536, got 0}}
  device.queue @q columns ["x"] (tensor<4xf32>) depth(0)
}

// -----

device.module @m {
  // expected-error @+1 {{offset must be at least 8, got 0}}
  device.report @loss : tensor<f32> {offset = 0 : i64}
}

// -----

device.module @m {
  // expected-note @+1 {{it is this}}
  device.report @loss : tensor<f32>
  // expected-error @+1 {{refers to @loss, which is no queue of the module}}
  device.entry @train symbol("f") {mode = "train", queue = @loss, reports = []}
}

// -----

device.module @m {
  // expected-note @+1 {{the other loop}}
  device.loop @train {mode = "train"} {
  }
  // expected-error @+1 {{carries the name of another loop: @train}}
  device.loop @train {mode = "eval"} {
  }
}

// -----

device.module @m {
  // expected-error @+1 {{needs a lowest and a highest integer in its device.range, got}}
  device.report @check : tensor<i32> {device.range = {lowest = 0 : i64}}
}

// -----

device.module @m {
  // expected-error @+1 {{has a device.range, so it must be one signless integer, got 'tensor<2xi32>'}}
  device.report @check : tensor<2xi32> {device.range = {highest = 3 : i64, lowest = 0 : i64}}
}

// -----

// Declarations hold what programs compute with, and processors address.
device.module @m {
  // expected-error @+1 {{failed to satisfy constraint: type attribute of addressable, statically shaped tensor}}
  device.variable @w : tensor<4xindex> = #device.init<"one", []>
}

// -----

device.module @m {
  // expected-error @+1 {{failed to satisfy constraint: type attribute of addressable, statically shaped tensor}}
  device.report @loss : tensor<4294967296x4294967296xf32>
}

// -----

device.module @m {
  // expected-error @+1 {{columns must be addressable, statically shaped tensors of numbers or booleans, got 'tensor<4xi128>'}}
  device.queue @q columns ["x"] (tensor<4xi128>) depth(2)
}

// -----

device.module @m {
  // expected-error @+1 {{columns must be addressable, statically shaped tensors of numbers or booleans, got 'tensor<?xf32>'}}
  device.queue @q columns ["x"] (tensor<?xf32>) depth(2)
}

// -----

device.module @m {
  // expected-error @+1 {{a print has one text more than values, and an offset for each, got 1 texts, 1 types and 1 offsets}}
  device.entry @l symbol("f") {mode = "train", reports = [], prints = [#device.print<["x"], types = [tensor<f32>], offsets = [16]>]}
}

// -----

device.module @m {
  // expected-error @+1 {{a print has strings around tensors}}
  device.entry @l symbol("f") {mode = "train", reports = [], prints = [#device.print<["x", 3], types = [tensor<f32>], offsets = [16]>]}
}
