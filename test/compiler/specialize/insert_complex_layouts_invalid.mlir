// RUN: plumb-opt --plumb-insert-complex-layouts --split-input-file --verify-diagnostics %s

// expected-error @+1 {{is complex and has an initial value by a rule; give the numbers themselves}}
net.parameter @w : tensor<2xcomplex<f32>> = #net.init<"normal", [1.0], stream = 0>

// -----

func.func private @f(%x: tensor<2xcomplex<f32>>) {
  // expected-error @+1 {{cannot print complex numbers; print their real and imaginary parts}}
  net.print "{}"(%x) : tensor<2xcomplex<f32>>
  return
}
