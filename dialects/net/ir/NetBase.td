// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every op record of the dialect starts from.

#ifndef PLUMB_NET_BASE_TD
#define PLUMB_NET_BASE_TD

include "dialects/net/ir/NetAttrs.td"
include "dialects/net/ir/NetDialect.td"
include "dialects/net/ir/NetInterfaces.td"
include "dialects/net/ir/NetTypes.td"
include "dialects/types/ir/Types.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Net_Op<string mnemonic, list<Trait> traits = []> : Op<Net_Dialect, mnemonic, traits>;

// Which tensors there are is the rule of all dialects.
def Net_Tensor : Types_TensorOf<Types_Elements>;
// Those that may hold complex numbers. ComplexNumbers.cpp lists what becomes of an op on them; none is left after the stage
// specialize.
def Net_AnyTensor : Types_TensorOf<Types_Elements # [Types_Complex]>;
def Net_FloatOrComplexTensor : Types_TensorOf<[Types_Float, Types_Complex]>;
def Net_ComplexTensor : Types_TensorOf<[Types_Complex]>;
def Net_FloatTensor : Types_TensorOf<[Types_Float]>;
def Net_IntegerTensor : Types_TensorOf<Types_Integers>;
def Net_BoolTensor : Types_TensorOf<[I1]>;
def Net_IndexTensor : Types_TensorOf<[I8, I16, I32, I64]>;

def Differentiable : DeclareOpInterfaceMethods<DifferentiableOpInterface>;
def Indexing : DeclareOpInterfaceMethods<IndexingOpInterface>;
def Lowerable : DeclareOpInterfaceMethods<LowerableOpInterface>;
// An op that adds or multiplies many elements into one. Of f16 and bf16 it accumulates in f32 and rounds once: the stage
// `lower` makes it an op on f32 between casts (WidenReductions).
def Accumulates : NativeOpTrait<"Accumulates"> {
  let cppNamespace = "::plumb::net";
}
def Stateful : DeclareOpInterfaceMethods<StateOpInterface, ["getInToken", "getOutToken", "getTokenKind", "cloneWithToken"]>;

// A primitive that Python can call. `signature` is its Python signature: parameters
// without annotation are tensors, `*xs` takes any number of tensors, the others
// are attributes of the same name, annotated with one of `ints int float bool str
// dtype`. The primitive table is read off these strings.
class Net_Primitive<string mnemonic, string signature, list<Trait> traits = []>
    : Net_Op<mnemonic, traits # [Pure, Lowerable]> {
  code primitiveDeclaration = "";
  let extraClassDeclaration = [{
    /// The op's signature as Python calls it.
    static ::llvm::StringRef getPythonSignature() { return R"py(}] # signature # [{)py"; }
  }] # primitiveDeclaration;
}

// An op that only the compiler writes: adjoints that Python has no name for.
class Net_Kernel<string mnemonic, list<Trait> traits = []>
    : Net_Op<mnemonic, traits # [Pure, Lowerable]>;

#endif // PLUMB_NET_BASE_TD
