// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of auto_monad, in the order in which the stage runs them.

#ifndef PLUMB_COMPILER_AUTO_MONAD_PASSES
#define PLUMB_COMPILER_AUTO_MONAD_PASSES

include "mlir/Pass/PassBase.td"

def InsertStateTokensPass : Pass<"plumb-insert-state-tokens", "mlir::ModuleOp"> {
  let summary = "Make the order of effects explicit by state tokens";
  let description = [{
    Infers bottom-up over the call graph which functions read or write parameters (`!net.u`) or speak to the outside
    (`!net.io`), and threads one token of each kind through everything that does, in program order: through calls,
    gradients, branches and loops. Functions get trailing token arguments and results, memory before io; an entry
    function makes its first tokens itself and returns the last ones.

    ```mlir
    func.func private @bump(%x: tensor<f32>) {
      net.assign @w, %x : tensor<f32>
      return
    }
    func.func @step(%x: tensor<f32>) -> tensor<f32> {   // an entry
      %v = net.read @w : tensor<f32>
      call @bump(%x) : (tensor<f32>) -> ()
      return %v : tensor<f32>
    }
    ```
    becomes
    ```mlir
    func.func private @bump(%x: tensor<f32>, %u: !net.u) -> !net.u {
      %u1 = net.assign @w, %x after %u : tensor<f32>
      return %u1 : !net.u
    }
    func.func @step(%x: tensor<f32>) -> (tensor<f32>, !net.u) {
      %u = net.token : !net.u
      %v, %u1 = net.read @w after %u : tensor<f32>
      %u2 = call @bump(%x, %u1) : (tensor<f32>, !net.u) -> !net.u
      return %v, %u2 : tensor<f32>, !net.u
    }
    ```
  }];
  let dependentDialects = ["::plumb::net::NetDialect"];
}

def RemoveRedundantReadsPass : Pass<"plumb-remove-redundant-reads", "mlir::ModuleOp"> {
  let summary = "Read each parameter once per value, and drop hidden writes";
  let description = [{
    A read of a parameter whose value was read or written before, with no write between, is that value. A write that
    another write hides before anything reads it, and a read that nobody uses, go. So does `net.depend`, whose order the
    tokens give. With `forward-writes=false` a read behind a write stays: for a gradient it is the parameter, not what
    was written.

    ```mlir
    %a, %u1 = net.read @w after %u : tensor<f32>
    %b, %u2 = net.read @w after %u1 : tensor<f32>
    %u3 = net.assign @w, %x after %u2 : tensor<f32>
    %c, %u4 = net.read @w after %u3 : tensor<f32>
    return %a, %b, %c, %u4 : tensor<f32>, tensor<f32>, tensor<f32>, !net.u
    ```
    becomes
    ```mlir
    %a, %u1 = net.read @w after %u : tensor<f32>
    %u3 = net.assign @w, %x after %u1 : tensor<f32>
    return %a, %a, %x, %u3 : tensor<f32>, tensor<f32>, tensor<f32>, !net.u
    ```
  }];
  let options = [
    Option<"forwardWrites", "forward-writes", "bool", "true", "Whether reads become what was written before">
  ];
}

def VerifyStateTokensPass : Pass<"plumb-verify-state-tokens", "mlir::ModuleOp"> {
  let summary = "Check that every effect has a token and that tokens form chains";
  let description = [{
    Fails on an effect without a token and on a token that two effects of a block continue:

    ```mlir
    %u1 = net.assign @w, %x after %u : tensor<f32>
    %u2 = net.assign @w, %y after %u : tensor<f32>   // error: continues a state token that was continued before
    ```

    On success the IR stays as it is.
  }];
}

#endif // PLUMB_COMPILER_AUTO_MONAD_PASSES
