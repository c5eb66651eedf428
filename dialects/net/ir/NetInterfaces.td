// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interfaces: what later stages ask of an op, so that their drivers stay short.

#ifndef PLUMB_NET_INTERFACES_TD
#define PLUMB_NET_INTERFACES_TD

include "mlir/IR/OpBase.td"

def DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::plumb::net";
  let description = [{
    An op that knows its adjoint. The rule is written in ops of the net dialect,
    so that it folds, fuses and differentiates again like any other code.
  }];
  let methods = [InterfaceMethod<[{
      Builds the adjoints of the operands from those of the results, at the
      builder's insertion point. A null value in `resultAdjoints` means zero;
      `operandAdjoints` gets one value per operand, null where none is due.
    }],
    "::llvm::LogicalResult", "buildAdjoint",
    (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$resultAdjoints,
         "::llvm::SmallVectorImpl<::mlir::Value> &":$operandAdjoints)>];
}

def LowerableOpInterface : OpInterface<"LowerableOpInterface"> {
  let cppNamespace = "::plumb::net";
  let description = [{
    An op that knows its meaning as `linalg` on tensors. Each lowering is made of:
    elementwise generics, reductions, contractions with affine maps (body: multiply
    and add into a zero-filled output), fills, insert and extract slices, expand and
    collapse shape. Destinations are fresh `tensor.empty`s.
  }];
  let methods = [InterfaceMethod<[{
      Builds the op's results from `operands` (tensors) at the builder's insertion point.
    }],
    "::mlir::FailureOr<::llvm::SmallVector<::mlir::Value>>", "lowerToLinalg",
    (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$operands)>];
}

def IndexingOpInterface : OpInterface<"IndexingOpInterface"> {
  let cppNamespace = "::plumb::net";
  let description = [{
    An op with an operand of integers that number slices or classes. The op itself stays within its memory
    whatever they are; the stage `sink` has the host refuse those that number nothing, so that no program
    computes with them in silence.
  }];
  let methods = [InterfaceMethod<[{
      Appends each operand of such integers with the least and the greatest that number something.
    }],
    "void", "getIndexRanges", (ins "::llvm::SmallVectorImpl<::plumb::net::IndexRange> &":$ranges)>];
}

def StateOpInterface : OpInterface<"StateOpInterface"> {
  let cppNamespace = "::plumb::net";
  let description = [{
    An op with an effect. Before the auto_monad stage it has no token and program
    order counts; after it, it takes a token and yields the next.
  }];
  let methods = [
    InterfaceMethod<"Which state the op touches.",
      "::plumb::net::TokenKind", "getTokenKind", (ins)>,
    InterfaceMethod<"Returns the token that the op waits for, or null.",
      "::mlir::Value", "getInToken", (ins)>,
    InterfaceMethod<"Returns the token that the op yields, or null.",
      "::mlir::Value", "getOutToken", (ins)>,
    InterfaceMethod<"Says whether the op's order is data.",
      "bool", "hasToken", (ins), "", [{ return static_cast<bool>($_op.getInToken()); }]>,
    InterfaceMethod<[{
      Clones the op with `token` as its token; the last result is the next token.
      Operands are taken as they are; the op itself stays.
    }], "::mlir::Operation *", "cloneWithToken",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Value":$token)>
  ];
}

#endif // PLUMB_NET_INTERFACES_TD
