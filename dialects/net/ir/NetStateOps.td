// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// State ops: parameters read and written, prints, and the tokens that order them.

#ifndef PLUMB_NET_STATE_OPS_TD
#define PLUMB_NET_STATE_OPS_TD

include "dialects/net/ir/NetBase.td"
include "mlir/IR/SymbolInterfaces.td"

// An op with an effect: without a token it accesses memory, with one its order is data.
class Net_StateOp<string mnemonic, list<Trait> traits = []>
    : Net_Op<mnemonic, traits # [Stateful, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]>;

def Net_TokenOp : Net_Op<"token", [Pure]> {
  let summary = "begins a chain of tokens";
  let description = [{
    Stands once per kind at the head of an entry function.

    Example:
    ```mlir
    %u0 = net.token : !net.u
    ```
  }];
  let results = (outs AnyTypeOf<[Net_MemoryToken, Net_IOToken]>:$token);
  let assemblyFormat = "attr-dict `:` type($token)";
}

def Net_ReadOp : Net_StateOp<"read", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "reads a parameter";
  let description = [{
    Yields the parameter's value and, when ordered, the next token.

    Constraints:
    * (read_c1) the symbol is a parameter of the result's type;
    * (read_c2) a token comes in exactly if one goes out.

    Example:
    ```mlir
    %v = net.read @w : tensor<4xf32>
    %w, %u1 = net.read @w after %u0 : tensor<4xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$parameter, Optional<Net_MemoryToken>:$token);
  let results = (outs Net_AnyTensor:$value, Optional<Net_MemoryToken>:$out_token);
  let assemblyFormat = [{
    $parameter custom<MemoryOrder>($token, type($token), type($out_token)) attr-dict `:` type($value)
  }];
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::Type":$type, "::llvm::StringRef":$parameter,
                                 CArg<"::mlir::Value", "{}">:$token)>];
}

def Net_AssignOp : Net_StateOp<"assign", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "writes a parameter";
  let description = [{
    Constraints:
    * (assign_c1) the symbol is a parameter of the value's type;
    * (assign_c2) a token comes in exactly if one goes out.

    Example:
    ```mlir
    net.assign @w, %v : tensor<4xf32>
    %u1 = net.assign @w, %v after %u0 : tensor<4xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$parameter, Net_AnyTensor:$value,
                       Optional<Net_MemoryToken>:$token);
  let results = (outs Optional<Net_MemoryToken>:$out_token);
  let assemblyFormat = [{
    $parameter `,` $value custom<MemoryOrder>($token, type($token), type($out_token))
    attr-dict `:` type($value)
  }];
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$parameter, "::mlir::Value":$value,
                                 CArg<"::mlir::Value", "{}">:$token)>];
}

def Net_PrintOp : Net_StateOp<"print", [AttrSizedOperandSegments]> {
  let summary = "prints tensors while training";
  let description = [{
    `format` holds one `{}` per value, as Python's `str.format` would read it.

    Constraints:
    * (print_c1) a token comes in exactly if one goes out;
    * (print_c2) there are as many values as `{}`.

    Example:
    ```mlir
    net.print "loss {}"(%loss) : tensor<f32>
    %io1 = net.print "loss {}"(%loss) after %io0 : tensor<f32>
    ```
  }];
  let arguments = (ins StrAttr:$format, Variadic<Net_AnyTensor>:$values, Optional<Net_IOToken>:$token);
  let results = (outs Optional<Net_IOToken>:$out_token);
  let assemblyFormat = [{
    $format `(` $values `)` custom<IOOrder>($token, type($token), type($out_token))
    attr-dict (`:` type($values)^)?
  }];
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$format, "::mlir::ValueRange":$values,
                                 CArg<"::mlir::Value", "{}">:$token)>];
  let extraClassDeclaration = [{
    /// The text between the `{}` of the format, one more than there are; `{{` and `}}` are braces.
    ::llvm::SmallVector<std::string> getTexts();
  }];
}

def Net_DependOp : Net_Op<"depend", [
    Pure, AllTypesMatch<["value", "result"]>, Differentiable]> {
  let summary = "yields a value after other values exist";
  let description = [{
    `ops.depend(x, y)`: the result is `x`; what `y` stands for, effects above all, has
    happened before. It vanishes when no dependency is left.

    Example:
    ```mlir
    %r = net.depend %x, %u : tensor<f32>, !net.u
    ```
  }];
  let arguments = (ins Net_AnyTensor:$value, Variadic<AnyType>:$dependencies);
  let results = (outs Net_AnyTensor:$result);
  let assemblyFormat = [{
    $value (`,` $dependencies^)? attr-dict `:` type($value) (`,` type($dependencies)^)?
  }];
  let hasFolder = 1;
}

#endif // PLUMB_NET_STATE_OPS_TD
