// RUN: plumb-opt %s --plumb-convert-checks-to-reports --verify-diagnostics

net.entry @test calls @main () {mode = "eval"}

func.func @main() {
  %true = arith.constant true
  %a = net.constant dense<1.0> : tensor<2xf32>
  scf.if %true {
    // expected-error @below {{must stand directly in the entry's function, not in a branch or loop}}
    check.expect_eq %a, %a : tensor<2xf32>
  }
  return
}
