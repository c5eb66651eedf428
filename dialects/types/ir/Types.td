// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tensors and buffers that programs compute with: constraints that the records of all dialects are made of.

#ifndef PLUMB_DIALECTS_TYPES_IR_TYPES_TD
#define PLUMB_DIALECTS_TYPES_IR_TYPES_TD

include "mlir/IR/CommonTypeConstraints.td"

// Elements. Booleans are i1, integers signless, or unsigned by name.
def Types_Float : AnyTypeOf<[F16, BF16, F32, F64], "floating-point">;
def Types_SignlessInteger : AnyTypeOf<[I1, I8, I16, I32, I64], "signless integer">;
def Types_UnsignedInteger : AnyTypeOf<[UI8, UI16, UI32, UI64], "unsigned integer">;

// Two floats: the real part, then the imaginary one. The dialect `net` alone knows them, up to the end of the stage specialize.
def Types_Complex : AnyTypeOf<[Complex<F32>, Complex<F64>], "complex">;

defvar Types_Integers = [Types_SignlessInteger, Types_UnsignedInteger];
defvar Types_Elements = [Types_Float, Types_SignlessInteger, Types_UnsignedInteger];

def Types_IsAddressable : CPred<"::plumb::isAddressable(::llvm::cast<::mlir::ShapedType>($_self))">;

// A tensor whose shape is known and which a processor can address as a whole.
class Types_TensorOf<list<Type> elements>
    : RankedTensorOf<elements, [HasStaticShapePred, Types_IsAddressable], "addressable, statically shaped tensor">;

def Types_Tensor : Types_TensorOf<Types_Elements>;

// The memory of one. It knows no signs, and holds numbers of elements, too.
def Types_Buffer
    : ConfinedType<MemRefOf<[Types_Float, Types_SignlessInteger, Index]>, [HasStaticShapePred, Types_IsAddressable],
                   "addressable, statically shaped memref of floating-point or signless integer or index values",
                   "::mlir::MemRefType">;

#endif // PLUMB_DIALECTS_TYPES_IR_TYPES_TD
