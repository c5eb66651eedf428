// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradient ops: what the autodiff stage takes away.

#ifndef PLUMB_NET_GRAD_OPS_TD
#define PLUMB_NET_GRAD_OPS_TD

include "dialects/net/ir/NetBase.td"
include "mlir/IR/SymbolInterfaces.td"

def Net_SymbolArrayAttr : TypedArrayAttrBase<FlatSymbolRefAttr, "array of symbols"> {
  let constBuilderCall = "$_builder.getArrayAttr($0)";
}

def Net_ValueAndGradOp : Net_Op<"value_and_grad", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "calls a function and differentiates it";
  let description = [{
    Results: those of the function, then one gradient per element of `argnums`, then
    one per parameter of `weights`. Without `sens` the first result is
    differentiated with an adjoint of ones; with it the last operands are the
    adjoints of the function's tensor results. Tokens pass as for a call.

    Constraints:
    * (value_and_grad_c1) operands are the function's arguments, then adjoints if `sens`;
    * (value_and_grad_c2) argnums are positions of tensor arguments;
    * (value_and_grad_c3) weights are parameters, and result types are as above.

    Example:
    ```mlir
    %loss, %dx, %dw = net.value_and_grad @forward(%x) {argnums = [0], weights = [@w]} : (tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>, tensor<4x4xf32>)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$args,
                       DefaultValuedAttr<I64ArrayAttr, "::llvm::ArrayRef<int64_t>()">:$argnums,
                       DefaultValuedAttr<Net_SymbolArrayAttr, "::llvm::ArrayRef<::mlir::Attribute>()">:$weights,
                       DefaultValuedAttr<BoolAttr, "false">:$sens);
  let results = (outs Variadic<AnyType>:$values);
  let assemblyFormat = "$callee `(` $args `)` attr-dict `:` functional-type($args, $values)";
  let extraClassDeclaration = [{
    /// The positions to differentiate by, as numbers.
    ::llvm::SmallVector<int64_t> getArgnumValues();

    /// The names of the parameters to differentiate by.
    ::llvm::SmallVector<::llvm::StringRef> getWeightNames();
  }];
}

def Net_StopGradientOp : Net_Primitive<"stop_gradient", "x", [SameOperandsAndResultType]> {
  let summary = "yields a value that no gradient passes";
  let description = [{
    Example:
    ```mlir
    %y = net.stop_gradient %x : tensor<4xf32>
    ```
  }];
  let arguments = (ins Net_AnyTensor:$x);
  let results = (outs Net_AnyTensor:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

def Net_StraightThroughOp : Net_Kernel<"straight_through", [AllTypesMatch<["value", "source", "result"]>, Differentiable]> {
  let summary = "yields one value, and hands its adjoint to another";
  let description = [{
    The result is `value`; its adjoint is that of `source`, as if the result were `source`. A parameter that a loop carries
    is read so: what the read yields is the carried value, but it counts as the parameter. After the straight-through
    estimator (Bengio, Léonard and Courville, "Estimating or propagating gradients through stochastic neurons", 2013).

    Example:
    ```mlir
    %y = net.straight_through %value, %source : tensor<4xf32>
    ```
  }];
  let arguments = (ins Net_AnyTensor:$value, Net_AnyTensor:$source);
  let results = (outs Net_AnyTensor:$result);
  let assemblyFormat = "$value `,` $source attr-dict `:` type($value)";
}

#endif // PLUMB_NET_GRAD_OPS_TD
