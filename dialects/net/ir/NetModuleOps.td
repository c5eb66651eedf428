// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Module-level ops: cells, parameters, Python functions and the entry. All are symbols of
// the one builtin.module; long names are quoted, as in @"network.conv1".

#ifndef PLUMB_NET_MODULE_OPS_TD
#define PLUMB_NET_MODULE_OPS_TD

include "dialects/net/ir/NetBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/RegionKindInterface.td"

class Net_SymbolOp<string mnemonic, list<Trait> traits = []>
    : Net_Op<mnemonic, traits # [Symbol]>;

def Net_NamespaceOp : Net_SymbolOp<"namespace"> {
  let summary = "names the members of a Python module that the program uses";
  let description = [{
    Only those members stand here that the program's text mentions.

    Example:
    ```mlir
    net.namespace @ops {reshape = #net.primitive<"reshape">}
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, DictionaryAttr:$members);
  let assemblyFormat = "$sym_name $members attr-dict-with-keyword";
}

def Net_CellOp : Net_SymbolOp<"cell"> {
  let summary = "describes a live cell: its class, its members and its methods";
  let description = [{
    `members` holds what `__init__` left on the object: child cells and parameters
    by symbol, other values as attributes. `methods` binds method names of the
    class to functions; two cells of a class share them.

    Example:
    ```mlir
    net.cell @network class "LeNet5" members {batch_size = 32 : i64, conv1 = @"network.conv1"} methods {construct = @LeNet5.construct}
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$class_name,
                       DictionaryAttr:$members, DictionaryAttr:$methods);
  let assemblyFormat = [{
    $sym_name `class` $class_name `members` $members `methods` $methods
    attr-dict-with-keyword
  }];
}

def Net_ParameterOp : Net_SymbolOp<"parameter"> {
  let summary = "declares a parameter: state that lives as long as the training";
  let description = [{
    The initial value is a rule (`#net.init`) or the numbers themselves. A size that no machine has is an error of the
    program's line that reads it.

    Constraints:
    * (parameter_c1) a dense initial value has the parameter's type.

    Example:
    ```mlir
    net.parameter @w : tensor<6x1x5x5xf32> = #net.init<"truncated_normal", [2.0e-2], stream = 3>
    net.parameter @b : tensor<6xf32> = dense<0.0> : tensor<6xf32> {requires_grad = false}
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<StaticShapeTensorOf<Types_Elements # [Types_Complex]>>:$type, AnyAttr:$init,
                       DefaultValuedAttr<BoolAttr, "true">:$requires_grad);
  let assemblyFormat = "$sym_name `:` $type `=` $init attr-dict";
  let hasVerifier = 1;
}

def Net_PythonFuncOp : Net_SymbolOp<"python.func", [
    IsolatedFromAbove, SingleBlock, NoTerminator, NoRegionArguments]> {
  let summary = "holds one Python function as its text says it";
  let description = [{
    Parameters are names with optional defaults; the body loads them by name.
    `names` binds every global, closure and builtin name that the body uses.
    `star_args` and `star_kwargs` name `*args` and `**kwargs`; the last
    `keyword_only` parameters cannot be given by position.

    Constraints:
    * (python_func_c1) a parameter with a default is not followed by one without,
      but for keyword-only ones;
    * (python_func_c2) no parameter is named twice.

    Example:
    ```mlir
    net.python.func @scale(self, x, axis = -1 : i64) names {ops = @ops} {
      %0 = net.python.load "x"
      net.python.return %0
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrArrayAttr:$params, DictionaryAttr:$defaults,
                       DictionaryAttr:$names, OptionalAttr<StrAttr>:$star_args,
                       OptionalAttr<StrAttr>:$star_kwargs, OptionalAttr<I64Attr>:$keyword_only);
  let regions = (region AnyRegion:$body);
  let assemblyFormat = [{
    $sym_name `` custom<PythonParameters>($params, $defaults) `names` $names
    attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The parameters' names, in order.
    ::llvm::SmallVector<::llvm::StringRef> getParamNames();

    /// The default of a parameter, or null.
    ::mlir::Attribute getDefault(::llvm::StringRef param) { return getDefaults().get(param); }
  }];
}

def Net_EntryOp : Net_SymbolOp<"entry"> {
  let summary = "says what to train: a callable, its input types and the loop around it";
  let description = [{
    `callee` is any callable: a cell (its `construct`), a function or a gradient
    function; after the specialize stage it is a `func.func`.

    Constraints:
    * (entry_c1) the inputs are tensors of numbers with static shapes;
    * (entry_c2) there are as many columns as inputs, where columns are named;
    * (entry_c3) `depth` and `epochs` are positive, `sink_size` is positive or -1.

    Example:
    ```mlir
    net.entry @train calls @network (tensor<32x1x32x32xf32>, tensor<32xi32>) {mode = "train", queue = "train", columns = ["image", "label"], depth = 16 : i64, sink_size = 1000 : i64, epochs = 10 : i64, reports = ["loss"]}
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, AnyAttr:$callee, TypeArrayAttr:$input_types,
                       OptionalAttr<StrAttr>:$mode, OptionalAttr<StrAttr>:$queue,
                       OptionalAttr<StrArrayAttr>:$columns, OptionalAttr<I64Attr>:$depth,
                       OptionalAttr<StrAttr>:$pipeline, OptionalAttr<I64Attr>:$sink_size,
                       OptionalAttr<I64Attr>:$epochs, OptionalAttr<StrArrayAttr>:$reports);
  let assemblyFormat = "$sym_name `calls` $callee custom<TypeList>($input_types) attr-dict";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The input types as types.
    ::llvm::SmallVector<::mlir::Type> getInputs();
  }];
}

#endif // PLUMB_NET_MODULE_OPS_TD
