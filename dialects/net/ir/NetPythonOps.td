// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python-level ops: the statements and expressions of a net.python.func, over !net.any.
// Names are strings and control flow is structured, as in the text they come from.

#ifndef PLUMB_NET_PYTHON_OPS_TD
#define PLUMB_NET_PYTHON_OPS_TD

include "dialects/net/ir/NetBase.td"
include "mlir/IR/RegionKindInterface.td"

// A nested block of Python: falling off its end is normal, so it has no terminator.
class Net_PythonBlockOp<string mnemonic, list<Trait> traits = []>
    : Net_Op<mnemonic, traits # [SingleBlock, NoTerminator, NoRegionArguments]>;

def Net_PythonLoadOp : Net_Op<"python.load"> {
  let summary = "reads a local, closure or global name";
  let description = [{
    A name that no store or parameter binds is looked up in the function's `names`.

    Example:
    ```mlir
    %0 = net.python.load "x"
    ```
  }];
  let arguments = (ins StrAttr:$name);
  let results = (outs Net_AnyValue:$result);
  let assemblyFormat = "$name attr-dict";
}

def Net_PythonStoreOp : Net_Op<"python.store"> {
  let summary = "binds a local name";
  let description = [{
    The name is local to the enclosing net.python.func, as in Python.

    Example:
    ```mlir
    net.python.store "x", %0
    ```
  }];
  let arguments = (ins StrAttr:$name, Net_AnyValue:$value);
  let assemblyFormat = "$name `,` $value attr-dict";
}

def Net_PythonConstantOp : Net_Op<"python.constant"> {
  let summary = "yields a Python object known while compiling";
  let description = [{
    Any attribute that stands for a Python object: numbers, strings, tuples (arrays),
    dictionaries, `#net.none`, `#net.primitive`, cells and functions by symbol.

    Example:
    ```mlir
    %0 = net.python.constant 3 : i64
    ```
  }];
  let arguments = (ins AnyAttr:$value);
  let results = (outs Net_AnyValue:$result);
  let assemblyFormat = "$value attr-dict";
}

def Net_PythonGetattrOp : Net_Op<"python.getattr"> {
  let summary = "reads an attribute of a value";
  let description = [{
    `value.name`; what it means is decided when the value's type is known.

    Example:
    ```mlir
    %1 = net.python.getattr %0, "shape"
    ```
  }];
  let arguments = (ins Net_AnyValue:$object, StrAttr:$name);
  let results = (outs Net_AnyValue:$result);
  let assemblyFormat = "$object `,` $name attr-dict";
}

def Net_PythonSetattrOp : Net_Op<"python.setattr"> {
  let summary = "writes an attribute of a value";
  let description = [{
    `object.name = value`; only parameters of cells can be written.

    Example:
    ```mlir
    net.python.setattr %0, "weight", %1
    ```
  }];
  let arguments = (ins Net_AnyValue:$object, StrAttr:$name, Net_AnyValue:$value);
  let assemblyFormat = "$object `,` $name `,` $value attr-dict";
}

def Net_PythonCallOp : Net_Op<"python.call"> {
  let summary = "calls a value";
  let description = [{
    `arg_names` has one string per argument: empty for positional, the keyword, or
    `*` and `**` for unpacking; absent when all are positional.

    Constraints:
    * (python_call_c1) as many names as arguments.

    Example:
    ```mlir
    %1 = net.python.call %f(%a, %b) names ["", "axis"]
    ```
  }];
  let arguments = (ins Net_AnyValue:$callee, Variadic<Net_AnyValue>:$args, OptionalAttr<StrArrayAttr>:$arg_names);
  let results = (outs Net_AnyValue:$result);
  let assemblyFormat = "$callee `(` $args `)` (`names` $arg_names^)? attr-dict";
  let hasVerifier = 1;
}

def Net_PythonOperatorOp : Net_Op<"python.operator"> {
  let summary = "applies an operator of Python";
  let description = [{
    One of: add sub mul truediv floordiv mod pow matmul lshift rshift and or xor neg pos
    invert not eq ne lt le gt ge is is_not in not_in.

    Constraints:
    * (python_operator_c1) the operator exists and has as many operands as Python gives it.

    Example:
    ```mlir
    %2 = net.python.operator "add"(%0, %1)
    ```
  }];
  let arguments = (ins StrAttr:$name, Variadic<Net_AnyValue>:$args);
  let results = (outs Net_AnyValue:$result);
  let assemblyFormat = "$name `(` $args `)` attr-dict";
  let hasVerifier = 1;
}

def Net_PythonSubscriptOp : Net_Op<"python.subscript"> {
  let summary = "indexes a value";
  let description = [{
    The index may be a tuple or a slice.

    Example:
    ```mlir
    %2 = net.python.subscript %0[%1]
    ```
  }];
  let arguments = (ins Net_AnyValue:$object, Net_AnyValue:$index);
  let results = (outs Net_AnyValue:$result);
  let assemblyFormat = "$object `[` $index `]` attr-dict";
}

def Net_PythonSetitemOp : Net_Op<"python.setitem"> {
  let summary = "stores into an element of a value";
  let description = [{
    `object[index] = value`. The result is the object behind the store: the same object where Python's changes in place (a
    list, a dict, a Parameter), and a new tensor where the object is one, which the program then keeps under the name that
    it has in the source. Without such a name (`bare`) a tensor cannot be stored into.

    Example:
    ```mlir
    %3 = net.python.setitem %0[%1], %2
    ```
  }];
  let arguments = (ins Net_AnyValue:$object, Net_AnyValue:$index, Net_AnyValue:$value, UnitAttr:$bare);
  let results = (outs Net_AnyValue:$result);
  let assemblyFormat = "$object `[` $index `]` `,` $value (`bare` $bare^)? attr-dict";
}

def Net_PythonSliceOp : Net_Op<"python.slice"> {
  let summary = "makes a slice object";
  let description = [{
    Omitted ends are `#net.none` constants.

    Example:
    ```mlir
    %3 = net.python.slice(%0, %1, %2)
    ```
  }];
  let arguments = (ins Net_AnyValue:$low, Net_AnyValue:$high, Net_AnyValue:$step);
  let results = (outs Net_AnyValue:$result);
  let assemblyFormat = "`(` $low `,` $high `,` $step `)` attr-dict";
}

def Net_PythonTupleOp : Net_Op<"python.tuple"> {
  let summary = "makes a tuple";
  let description = [{
    Tuple and list displays both become tuples: graphs have no mutable lists.

    Example:
    ```mlir
    %2 = net.python.tuple(%0, %1)
    ```
  }];
  let arguments = (ins Variadic<Net_AnyValue>:$elements);
  let results = (outs Net_AnyValue:$result);
  let assemblyFormat = "`(` $elements `)` attr-dict";
}

def Net_PythonDictOp : Net_Op<"python.dict"> {
  let summary = "makes a dictionary with string keys";
  let description = [{
    Constraints:
    * (python_dict_c1) as many keys as values.

    Example:
    ```mlir
    %1 = net.python.dict ["k"](%0)
    ```
  }];
  let arguments = (ins StrArrayAttr:$keys, Variadic<Net_AnyValue>:$values);
  let results = (outs Net_AnyValue:$result);
  let assemblyFormat = "$keys `(` $values `)` attr-dict";
  let hasVerifier = 1;
}

def Net_PythonIfOp : Net_PythonBlockOp<"python.if"> {
  let summary = "runs one of two blocks";
  let description = [{
    A block stores names; the code after it loads them.

    Example:
    ```mlir
    net.python.if %c { net.python.store "x", %0 } else { net.python.store "x", %1 }
    ```
  }];
  let arguments = (ins Net_AnyValue:$condition);
  let regions = (region AnyRegion:$then_region, AnyRegion:$else_region);
  let assemblyFormat = "$condition $then_region (`else` $else_region^)? attr-dict-with-keyword";
}

def Net_PythonWhileOp : Net_PythonBlockOp<"python.while"> {
  let summary = "repeats a block while a condition holds";
  let description = [{
    The first region ends in net.python.condition.

    Constraints:
    * (python_while_c1) the condition region's last op is net.python.condition.

    Example:
    ```mlir
    net.python.while { %c = net.python.load "go"  net.python.condition %c } do { net.python.break }
    ```
  }];
  let regions = (region AnyRegion:$condition_region, AnyRegion:$body);
  let assemblyFormat = "$condition_region `do` $body attr-dict-with-keyword";
  let hasVerifier = 1;
}

def Net_PythonConditionOp : Net_Op<"python.condition", [HasParent<"PythonWhileOp">]> {
  let summary = "ends the condition of a while";
  let description = [{
    The loop goes on while the value is true.

    Example:
    ```mlir
    net.python.condition %c
    ```
  }];
  let arguments = (ins Net_AnyValue:$value);
  let assemblyFormat = "$value attr-dict";
}

def Net_PythonForOp : Net_PythonBlockOp<"python.for"> {
  let summary = "repeats a block for each element of an iterable";
  let description = [{
    The element is stored under `target` before each round.

    Example:
    ```mlir
    net.python.for "i" in %range { net.python.continue }
    ```
  }];
  let arguments = (ins StrAttr:$target, Net_AnyValue:$iterable);
  let regions = (region AnyRegion:$body);
  let assemblyFormat = "$target `in` $iterable $body attr-dict-with-keyword";
}

def Net_PythonBreakOp : Net_Op<"python.break"> {
  let summary = "leaves the innermost loop";
  let description = [{
    Constraints:
    * (python_break_c1) it stands in a loop.

    Example:
    ```mlir
    net.python.break
    ```
  }];
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def Net_PythonContinueOp : Net_Op<"python.continue"> {
  let summary = "goes to the next round of the innermost loop";
  let description = [{
    Constraints:
    * (python_continue_c1) it stands in a loop.

    Example:
    ```mlir
    net.python.continue
    ```
  }];
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def Net_PythonReturnOp : Net_Op<"python.return"> {
  let summary = "returns from the function";
  let description = [{
    `return` without a value returns a `#net.none` constant.

    Example:
    ```mlir
    net.python.return %0
    ```
  }];
  let arguments = (ins Net_AnyValue:$value);
  let assemblyFormat = "$value attr-dict";
}

def Net_PythonTryOp : Net_PythonBlockOp<"python.try"> {
  let summary = "runs a block and handles the exceptions that compiling it raises";
  let description = [{
    Where the body raises an exception while it is compiled, the handler runs, in which `builtins.exception` is the exception
    and `builtins.reraise` raises it again. The last block runs behind either, however they end.

    Constraints:
    * (python_try_c1) a body, and a handler or a last block.

    Example:
    ```mlir
    net.python.try { net.python.raise "ValueError: no" } except { net.python.store "x", %0 } finally { net.python.store "y", %0 }
    ```
  }];
  let regions = (region AnyRegion:$body, AnyRegion:$handler, AnyRegion:$last);
  let assemblyFormat = "$body (`except` $handler^)? (`finally` $last^)? attr-dict-with-keyword";
  let hasVerifier = 1;
}

def Net_PythonAssertOp : Net_Op<"python.assert"> {
  let summary = "raises an exception unless a condition holds";
  let description = [{
    A condition that is known while compiling and does not hold is an error of the program. One on a tensor becomes a
    `check.assert`: a step in which it does not hold ends its launch.

    Example:
    ```mlir
    net.python.assert %c, "batch must be even"
    ```
  }];
  let arguments = (ins Net_AnyValue:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict";
}

def Net_PythonRaiseOp : Net_Op<"python.raise"> {
  let summary = "raises an exception where it is reached";
  let description = [{
    The message is given to the user at this place of the program: while compiling or, under a condition on a tensor, by a
    `check.assert` when a step takes that way.

    Example:
    ```mlir
    net.python.raise "unsupported mode"
    ```
  }];
  let arguments = (ins StrAttr:$message);
  let assemblyFormat = "$message attr-dict";
}

#endif // PLUMB_NET_PYTHON_OPS_TD
