// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes: Python objects that MLIR's builtin attributes have no word for.

#ifndef PLUMB_NET_ATTRS_TD
#define PLUMB_NET_ATTRS_TD

include "dialects/net/ir/NetDialect.td"
include "mlir/IR/AttrTypeBase.td"

class Net_Attr<string name, string attrMnemonic> : AttrDef<Net_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Net_NoneAttr : Net_Attr<"None", "none"> {
  let summary = "Python's None";
}

def Net_PrimitiveAttr : Net_Attr<"Primitive", "primitive"> {
  let summary = "A primitive, with what its constructor was given";
  let description = [{
    A primitive instance, a primitive function or a builtin (`builtins.len`).

    Example:
    ```mlir
    #net.primitive<"reduce_mean", {keep_dims = false}>
    ```
  }];
  let parameters = (ins
    StringRefParameter<"name of the primitive">:$name,
    OptionalParameter<"::mlir::DictionaryAttr", "constructor arguments">:$config
  );
  let assemblyFormat = "`<` $name (`,` $config^)? `>`";
  let builders = [AttrBuilder<(ins "::llvm::StringRef":$name), [{
    return $_get($_ctxt, name, ::mlir::DictionaryAttr());
  }]>];
}

def Net_InitAttr : Net_Attr<"Init", "init"> {
  let summary = "The rule that gives a parameter its first value";
  let description = [{
    `kind` names the distribution, `parameters` are its numbers, `stream` is the
    serial number of the parameter's creation: together with the seed it keys the
    random numbers, so that equal programs start from equal weights.

    Example:
    ```mlir
    #net.init<"truncated_normal", [2.0e-2], stream = 3>
    ```
  }];
  let parameters = (ins
    StringRefParameter<"the distribution">:$kind,
    "::mlir::ArrayAttr":$parameters,
    "int64_t":$stream
  );
  let assemblyFormat = "`<` $kind `,` $parameters `,` `stream` `=` $stream `>`";
  let genVerifyDecl = 1;
}

def Net_MethodAttr : Net_Attr<"Method", "method"> {
  let summary = "A bound method: a function and its first argument";
  let description = [{
    Example:
    ```mlir
    #net.method<@LeNet5.construct, self = @network>
    ```
  }];
  let parameters = (ins
    "::mlir::FlatSymbolRefAttr":$function,
    "::mlir::Attribute":$self
  );
  let assemblyFormat = "`<` $function `,` `self` `=` $self `>`";
}

def Net_GradAttr : Net_Attr<"Grad", "grad"> {
  let summary = "A gradient function object";
  let description = [{
    What `grad`, `value_and_grad` and `GradOperation` return: calling it calls
    `fn` and differentiates it by the positions `argnums` and the parameters
    `weights`. `value` says whether the value is returned too, `has_aux` whether
    only the first result is differentiated, `sens` whether the last argument is
    the adjoint of the result. The gradient by one position is a tensor where
    `single` holds, else a tuple of one; that by one parameter where
    `single_weight` holds. With `return_ids` each gradient stands behind its
    position, or its parameter's name, in a tuple of the two.

    Example:
    ```mlir
    #net.grad<fn = @forward, argnums = [0], weights = [@w], value = true, has_aux = false, sens = false>
    ```
  }];
  let parameters = (ins
    "::mlir::Attribute":$fn,
    "::mlir::ArrayAttr":$argnums,
    "::mlir::ArrayAttr":$weights,
    "bool":$value,
    "bool":$has_aux,
    "bool":$sens,
    DefaultValuedParameter<"bool", "true">:$single,
    DefaultValuedParameter<"bool", "false">:$single_weight,
    DefaultValuedParameter<"bool", "false">:$return_ids
  );
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif // PLUMB_NET_ATTRS_TD
