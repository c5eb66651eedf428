// RUN: plumb-opt %s --plumb-verify-generated --split-input-file --verify-diagnostics

device.module @good {
  device.entry @train symbol("plumb_loop_train") {mode = "train", reports = []}
  llvm.func @plumb_loop_train(%launch: !llvm.ptr) {
    llvm.return
  }
}

// -----

device.module @missing {
  // expected-error @below {{names the function 'plumb_loop_train', which does not exist}}
  device.entry @train symbol("plumb_loop_train") {mode = "train", reports = []}
}

// -----

device.module @left {
  llvm.func @step(%x: f32) -> f32 {
    // expected-error @below {{is left after codegen}}
    %0 = arith.addf %x, %x : f32
    llvm.return %0 : f32
  }
}
