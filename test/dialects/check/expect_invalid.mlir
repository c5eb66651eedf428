// RUN: plumb-opt %s --split-input-file --verify-diagnostics

func.func @expect_close_c1(%i: tensor<3xi32>) {
  // expected-error @below {{operand #0 must be addressable, statically shaped tensor of floating-point values}}
  "check.expect_close"(%i, %i) : (tensor<3xi32>, tensor<3xi32>) -> ()
  return
}

// -----

func.func @expect_close_c2(%a: tensor<3xf32>) {
  // expected-error @below {{has a negative tolerance (expect_close_c2)}}
  check.expect_close %a, %a {rtol = -1.0 : f64} : tensor<3xf32>
  return
}
