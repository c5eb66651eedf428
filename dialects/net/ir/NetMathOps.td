// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematical functions of one or two tensors: trigonometric, hyperbolic, logarithms and exponentials near one, error and
// gamma functions; complex numbers, made of two parts and taken apart, and their Fourier transform. The pass ExpandComplex rewrites
// the latter to ops on real tensors, so none has an adjoint or a lowering of its own.

#ifndef PLUMB_NET_MATH_OPS_TD
#define PLUMB_NET_MATH_OPS_TD

include "dialects/net/ir/NetBase.td"

// A differentiable function of floats, element by element.
class Net_MathOp<string mnemonic, string signature = "x", list<Trait> traits = [], Type type = Net_FloatTensor>
    : Net_Primitive<mnemonic, signature, [Differentiable, SameOperandsAndResultType] # traits> {
  let arguments = (ins type:$x);
  let results = (outs type:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

// One of complex numbers, too, on the principal branch: cuts and signs of zeros as in C.
class Net_ComplexMathOp<string mnemonic> : Net_MathOp<mnemonic, "x", [], Net_FloatOrComplexTensor>;

def Net_TanOp : Net_ComplexMathOp<"tan"> {
  let summary = "takes the tangent";
  let description = [{
    y = tan x, in radians.

    Example:
    ```mlir
    %y = net.tan %x : tensor<4xf32>
    ```
  }];
}

def Net_AsinOp : Net_ComplexMathOp<"asin"> {
  let summary = "takes the inverse sine";
  let description = [{
    y = arcsin x, from -pi/2 to pi/2; NaN beyond -1 and 1.

    Example:
    ```mlir
    %y = net.asin %x : tensor<4xf32>
    ```
  }];
}

def Net_AcosOp : Net_ComplexMathOp<"acos"> {
  let summary = "takes the inverse cosine";
  let description = [{
    y = arccos x, from 0 to pi; NaN beyond -1 and 1.

    Example:
    ```mlir
    %y = net.acos %x : tensor<4xf32>
    ```
  }];
}

def Net_AtanOp : Net_ComplexMathOp<"atan"> {
  let summary = "takes the inverse tangent";
  let description = [{
    y = arctan x, from -pi/2 to pi/2.

    Example:
    ```mlir
    %y = net.atan %x : tensor<4xf32>
    ```
  }];
}

def Net_SinhOp : Net_ComplexMathOp<"sinh"> {
  let summary = "takes the hyperbolic sine";
  let description = [{
    y = (e^x - e^(-x)) / 2, without cancellation near zero.

    Example:
    ```mlir
    %y = net.sinh %x : tensor<4xf32>
    ```
  }];
}

def Net_CoshOp : Net_ComplexMathOp<"cosh"> {
  let summary = "takes the hyperbolic cosine";
  let description = [{
    y = (e^x + e^(-x)) / 2.

    Example:
    ```mlir
    %y = net.cosh %x : tensor<4xf32>
    ```
  }];
}

def Net_AsinhOp : Net_ComplexMathOp<"asinh"> {
  let summary = "takes the inverse hyperbolic sine";
  let description = [{
    y = ln(x + sqrt(x^2 + 1)), without cancellation at small or negative x.

    Example:
    ```mlir
    %y = net.asinh %x : tensor<4xf32>
    ```
  }];
}

def Net_AcoshOp : Net_ComplexMathOp<"acosh"> {
  let summary = "takes the inverse hyperbolic cosine";
  let description = [{
    y = ln(x + sqrt(x^2 - 1)); NaN below 1.

    Example:
    ```mlir
    %y = net.acosh %x : tensor<4xf32>
    ```
  }];
}

def Net_AtanhOp : Net_ComplexMathOp<"atanh"> {
  let summary = "takes the inverse hyperbolic tangent";
  let description = [{
    y = ln((1 + x) / (1 - x)) / 2; infinite at -1 and 1, NaN beyond.

    Example:
    ```mlir
    %y = net.atanh %x : tensor<4xf32>
    ```
  }];
}

def Net_Log1pOp : Net_ComplexMathOp<"log1p"> {
  let summary = "takes the logarithm of one plus each element";
  let description = [{
    y = ln(1 + x), without cancellation near zero; -inf at -1, NaN below.

    Example:
    ```mlir
    %y = net.log1p %x : tensor<4xf32>
    ```
  }];
}

def Net_Expm1Op : Net_ComplexMathOp<"expm1"> {
  let summary = "takes the exponential less one";
  let description = [{
    y = e^x - 1, without cancellation near zero.

    Example:
    ```mlir
    %y = net.expm1 %x : tensor<4xf32>
    ```
  }];
}

def Net_ErfcOp : Net_MathOp<"erfc"> {
  let summary = "takes the complement of the error function";
  let description = [{
    y = 1 - erf x, without cancellation at large x.

    Example:
    ```mlir
    %y = net.erfc %x : tensor<4xf32>
    ```
  }];
}

def Net_ErfinvOp : Net_MathOp<"erfinv"> {
  let summary = "takes the inverse of the error function";
  let description = [{
    The y with erf y = x; infinite at -1 and 1, NaN beyond.

    Example:
    ```mlir
    %y = net.erfinv %x : tensor<4xf32>
    ```
  }];
}

def Net_LgammaOp : Net_MathOp<"lgamma"> {
  let summary = "takes the logarithm of the gamma function's magnitude";
  let description = [{
    y = ln |Gamma(x)|; infinite at 0, -1, -2, …

    Example:
    ```mlir
    %y = net.lgamma %x : tensor<4xf32>
    ```
  }];
}

def Net_PolygammaOp : Net_MathOp<"polygamma", "x, order: int = 0"> {
  let summary = "takes a derivative of the digamma function";
  let description = [{
    y = d^order/dx^order psi(x) with psi(x) = d/dx ln Gamma(x), the digamma function, at order 0. At 0, -1, -2, …, the poles:
    infinite for odd orders; for even ones NaN, but at zero infinite of the sign opposite to that of the zero.

    Constraints:
    * (polygamma_c1) the order is from 0 to 32.

    Example:
    ```mlir
    %y = net.polygamma %x order 1 : tensor<4xf32>
    ```
  }];
  let arguments = (ins Net_FloatTensor:$x, I64Attr:$order);
  let assemblyFormat = "$x `order` $order attr-dict `:` type($x)";
  let hasVerifier = 1;
  let primitiveDeclaration = [{
    static constexpr uint64_t kMaxOrder = 32;
  }];
}

def Net_Atan2Op : Net_Primitive<"atan2", "y, x", [SameOperandsElementType, InferTypeOpAdaptor, Differentiable]> {
  let summary = "takes the angle of a point in the plane";
  let description = [{
    z = the angle of (x, y), from -pi to pi: arctan(y / x) where x is positive. Signs of zeros count as in C's `atan2`.

    Example:
    ```mlir
    %z = net.atan2 %y, %x : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    ```
  }];
  let arguments = (ins Net_FloatTensor:$y, Net_FloatTensor:$x);
  let results = (outs Net_FloatTensor:$result);
  let assemblyFormat = "$y `,` $x attr-dict `:` functional-type(operands, results)";
}

// -- Complex numbers

class Net_ComplexOp<string mnemonic, string signature, list<Trait> traits = []>
    : Net_Op<mnemonic, traits # [Pure]> {
  code complexDeclaration = "";
  let extraClassDeclaration = [{
    /// The op's signature as Python calls it.
    static ::llvm::StringRef getPythonSignature() { return R"py(}] # signature # [{)py"; }
  }] # complexDeclaration;
}

// A real tensor of a complex one.
class Net_PartOp<string mnemonic>
    : Net_ComplexOp<mnemonic, "x", [SameOperandsAndResultShape, InferTypeOpAdaptor]> {
  let arguments = (ins Net_ComplexTensor:$x);
  let results = (outs Net_FloatTensor:$result);
  let assemblyFormat = "$x attr-dict `:` functional-type($x, results)";
}

def Net_ComplexOfOp : Net_ComplexOp<"complex", "real, imag", [SameOperandsElementType, InferTypeOpAdaptor]> {
  let summary = "makes complex numbers of two real tensors";
  let description = [{
    z = real + i imag; both broadcast. By net.cast a real number becomes complex with an imaginary part of zero, and a complex
    one real by leaving its imaginary part out; net.sign of a complex number is z / |z|, with a gradient.

    Constraints:
    * (complex_c1) both are of f32 or both of f64.

    Example:
    ```mlir
    %z = net.complex %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
    ```
  }];
  let arguments = (ins Net_FloatTensor:$real, Net_FloatTensor:$imag);
  let results = (outs Net_ComplexTensor:$result);
  let assemblyFormat = "$real `,` $imag attr-dict `:` functional-type(operands, results)";
}

def Net_RealOp : Net_PartOp<"real"> {
  let summary = "takes the real part";
  let description = [{
    x of z = x + iy.

    Example:
    ```mlir
    %x = net.real %z : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
    ```
  }];
}

def Net_ImagOp : Net_PartOp<"imag"> {
  let summary = "takes the imaginary part";
  let description = [{
    y of z = x + iy.

    Example:
    ```mlir
    %y = net.imag %z : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
    ```
  }];
}

def Net_ComplexAbsOp : Net_PartOp<"complex_abs"> {
  let summary = "takes the magnitude of complex numbers";
  let description = [{
    |z| = (x^2 + y^2)^(1/2), which overflows only where the result does; the adjoint at zero is zero.

    Example:
    ```mlir
    %r = net.complex_abs %z : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
    ```
  }];
}

def Net_AngleOp : Net_PartOp<"angle"> {
  let summary = "takes the angle of complex numbers";
  let description = [{
    atan2(y, x) of z = x + iy, from -pi to pi.

    Example:
    ```mlir
    %a = net.angle %z : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
    ```
  }];
}

def Net_ConjOp : Net_ComplexOp<"conj", "x", [SameOperandsAndResultType]> {
  let summary = "negates the imaginary part";
  let description = [{
    x - iy of z = x + iy.

    Example:
    ```mlir
    %c = net.conj %z : tensor<4xcomplex<f32>>
    ```
  }];
  let arguments = (ins Net_ComplexTensor:$x);
  let results = (outs Net_ComplexTensor:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

def Net_FftOp : Net_ComplexOp<"fft", "x, axes: ints, inverse: bool = False", [InferTypeOpAdaptor]> {
  let summary = "takes the discrete Fourier transform along axes";
  let description = [{
    y[k] = sum of x[j] e^(-2 pi i j k / n) over j = 0 … n-1 along each of the axes, one after the other; with `inverse` the
    exponent is positive. Nothing is divided by n. Real numbers count as complex ones.

    Constraints:
    * (fft_c1) the axes exist, and none is empty;
    * (fft_c2) the numbers are of f32, f64 or complex;
    * (fft_c3) no axis has more than 2^24 elements.

    Example:
    ```mlir
    %y = net.fft %x axes [1] : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
    ```
  }];
  let arguments = (ins Net_FloatOrComplexTensor:$x, DenseI64ArrayAttr:$axes, DefaultValuedAttr<BoolAttr, "false">:$inverse);
  let results = (outs Net_ComplexTensor:$result);
  let assemblyFormat = "$x `axes` $axes attr-dict `:` functional-type($x, results)";
  let complexDeclaration = [{
    /// Builds the transform of the values that stand for the operand, as expandComplex does for other ops.
    ::llvm::FailureOr<::llvm::SmallVector<::mlir::Value>> expand(::mlir::OpBuilder &builder, ::mlir::ValueRange operand);
  }];
}

#endif // PLUMB_NET_MATH_OPS_TD
