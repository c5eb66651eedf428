// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of the C library that an executable may call: mathematics, memory and strings, as X macros. The
// compiler rejects programs that call others, and the loader rejects such executables; both use these lists.
#ifndef PLUMB_RUNTIME_ABI_HOST_FUNCTIONS_H_
#define PLUMB_RUNTIME_ABI_HOST_FUNCTIONS_H_

// double f(double), each with a variant for float whose name ends in `f`.
// clang-format off
#define PLUMB_HOST_UNARY(X)                                                                                     \
  X(acos) X(acosh) X(asin) X(asinh) X(atan) X(atanh) X(cbrt) X(ceil) X(cos) X(cosh) X(erf) X(erfc) X(exp)       \
  X(exp2) X(expm1) X(fabs) X(floor) X(lgamma) X(log) X(log10) X(log1p) X(log2) X(logb) X(nearbyint) X(rint)     \
  X(round) X(roundeven) X(sin) X(sinh) X(sqrt) X(tan) X(tanh) X(tgamma) X(trunc)
// clang-format on

// double f(double, double), each with a variant for float.
#define PLUMB_HOST_BINARY(X) \
  X(atan2) X(copysign) X(fdim) X(fmax) X(fmin) X(fmod) X(hypot) X(nextafter) X(pow) X(remainder)

// All others, with their types.
#define PLUMB_HOST_OTHERS(X)                                               \
  X(memcpy, void*(void*, const void*, size_t))                             \
  X(memmove, void*(void*, const void*, size_t))                            \
  X(memset, void*(void*, int, size_t))                                     \
  X(memcmp, int(const void*, const void*, size_t))                         \
  X(strcmp, int(const char*, const char*))                                 \
  X(strncmp, int(const char*, const char*, size_t))                        \
  X(strlen, size_t(const char*))                                           \
  X(malloc, void*(size_t))                                                 \
  X(calloc, void*(size_t, size_t))                                         \
  X(realloc, void*(void*, size_t))                                         \
  X(free, void(void*))                                                     \
  X(qsort, void(void*, size_t, size_t, int (*)(const void*, const void*))) \
  X(fma, double(double, double, double))                                   \
  X(fmaf, float(float, float, float))                                      \
  X(ldexp, double(double, int))                                            \
  X(ldexpf, float(float, int))                                             \
  X(scalbn, double(double, int))                                           \
  X(scalbnf, float(float, int))                                            \
  X(frexp, double(double, int*))                                           \
  X(frexpf, float(float, int*))                                            \
  X(modf, double(double, double*))                                         \
  X(modff, float(float, float*))                                           \
  X(lround, long(double))                                                  \
  X(lroundf, long(float))                                                  \
  X(lrint, long(double))                                                   \
  X(lrintf, long(float))                                                   \
  X(sincos, void(double, double*, double*))                                \
  X(sincosf, void(float, float*, float*))

#endif  // PLUMB_RUNTIME_ABI_HOST_FUNCTIONS_H_
