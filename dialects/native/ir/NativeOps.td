// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PLUMB_NATIVE_OPS_TD
#define PLUMB_NATIVE_OPS_TD

include "dialects/native/ir/NativeDialect.td"
include "dialects/types/ir/Types.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Native_SourceAttr : AttrDef<Native_Dialect, "Source"> {
  let mnemonic = "source";
  let summary = "A source of C or C++";
  let description = [{
    `text` is complete but for headers of the system. `file` is its name in messages; `language` is `c` or `c++`.

    Example: `#native.source<"add.c", "c", "int add(…) { … }">`
  }];
  let parameters = (ins
    StringRefParameter<"name of the source, for messages">:$file,
    StringRefParameter<"c or c++">:$language,
    StringRefParameter<"the source itself">:$text
  );
  let assemblyFormat = "`<` $file `,` $language `,` $text `>`";
  let genVerifyDecl = 1;
}

// A tensor above `lower`, a buffer below it.
def Native_Value : AnyTypeOf<[Types_TensorOf<Types_Elements>, Types_Buffer]>;

class Native_Op<string mnemonic, list<Trait> traits = []> : Op<Native_Dialect, mnemonic, traits>;

def Native_CallOp : Native_Op<"call", [
    AttrSizedOperandSegments, DestinationStyleOpInterface, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "calls a function of a source";
  let description = [{
    The function fills the outputs from the inputs; the last output is no parameter of it but takes its status. Above `lower`
    the outputs are destinations, whose content is not read, and the results are what they hold afterwards; below it inputs and
    outputs are contiguous buffers, and there is no result. `dtypes` are what the function is told the elements are: `float32`,
    `uint8`, …

    It is taken for a function in the sense of mathematics: equal inputs give equal outputs, and nothing else is read or
    changed. It has no gradient by itself: a `custom_bprop` of the function around it gives one.

    Constraints:
    * (call_c1) the function's name is a name of C;
    * (call_c2) the last output is one `i32`, and there is another;
    * (call_c3) there is a dtype for each input and each output but the last.

    Example:
    ```mlir
    %y, %status = native.call "scale" of #source ["float32", "float32"]
        ins(%x : tensor<4xf32>) outs(%e, %s : tensor<4xf32>, tensor<i32>) -> tensor<4xf32>, tensor<i32>
    ```
  }];
  let arguments = (ins StrAttr:$function, Native_SourceAttr:$source, StrArrayAttr:$dtypes,
                       Variadic<Native_Value>:$inputs, Variadic<Native_Value>:$outputs);
  let results = (outs Variadic<Types_TensorOf<Types_Elements>>:$results);
  let assemblyFormat = [{
    $function `of` $source $dtypes `ins` `(` ($inputs^ `:` type($inputs))? `)` `outs` `(` $outputs `:` type($outputs) `)`
    attr-dict (`->` type($results)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// What a function is told that the elements of `type` are.
    static std::string getDtype(::mlir::Type type);

    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutputsMutable(); }
  }];
}

#endif // PLUMB_NATIVE_OPS_TD
