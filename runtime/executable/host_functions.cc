// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/executable/host_functions.h"

#include <math.h>
#include <string.h>

namespace plumb {
namespace {

struct HostFunction {
  absl::string_view name;
  const void* address;
};

// <cmath> overloads these names; a cast to the type picks the one of C.
const void* Address(double (*function)(double)) { return reinterpret_cast<const void*>(function); }
const void* Address(double (*function)(double, double)) { return reinterpret_cast<const void*>(function); }
const void* FloatAddress(float (*function)(float)) { return reinterpret_cast<const void*>(function); }
const void* FloatAddress(float (*function)(float, float)) { return reinterpret_cast<const void*>(function); }

// A function of doubles and its twin of floats.
#define PLUMB_UNARY(name) \
  {#name, Address(static_cast<double (*)(double)>(&::name))}, {#name "f", FloatAddress(&::name##f)},
#define PLUMB_BINARY(name) \
  {#name, Address(static_cast<double (*)(double, double)>(&::name))}, {#name "f", FloatAddress(&::name##f)},

const HostFunction kFunctions[] = {
    {"memcpy", reinterpret_cast<const void*>(static_cast<void* (*)(void*, const void*, size_t)>(&::memcpy))},
    {"memmove", reinterpret_cast<const void*>(static_cast<void* (*)(void*, const void*, size_t)>(&::memmove))},
    {"memset", reinterpret_cast<const void*>(static_cast<void* (*)(void*, int, size_t)>(&::memset))},
    {"fma", reinterpret_cast<const void*>(static_cast<double (*)(double, double, double)>(&::fma))},
    {"fmaf", reinterpret_cast<const void*>(static_cast<float (*)(float, float, float)>(&::fmaf))},
    {"ldexp", reinterpret_cast<const void*>(static_cast<double (*)(double, int)>(&::ldexp))},
    {"ldexpf", reinterpret_cast<const void*>(static_cast<float (*)(float, int)>(&::ldexpf))},
    {"sincos", reinterpret_cast<const void*>(static_cast<void (*)(double, double*, double*)>(&::sincos))},
    {"sincosf", reinterpret_cast<const void*>(static_cast<void (*)(float, float*, float*)>(&::sincosf))},
    PLUMB_UNARY(acos) PLUMB_UNARY(acosh) PLUMB_UNARY(asin) PLUMB_UNARY(asinh) PLUMB_UNARY(atan) PLUMB_UNARY(atanh)
    PLUMB_UNARY(cbrt) PLUMB_UNARY(ceil) PLUMB_UNARY(cos) PLUMB_UNARY(cosh) PLUMB_UNARY(erf) PLUMB_UNARY(erfc)
    PLUMB_UNARY(exp) PLUMB_UNARY(exp2) PLUMB_UNARY(expm1) PLUMB_UNARY(fabs) PLUMB_UNARY(floor) PLUMB_UNARY(lgamma)
    PLUMB_UNARY(log) PLUMB_UNARY(log10) PLUMB_UNARY(log1p) PLUMB_UNARY(log2) PLUMB_UNARY(nearbyint) PLUMB_UNARY(rint)
    PLUMB_UNARY(round) PLUMB_UNARY(roundeven) PLUMB_UNARY(sin) PLUMB_UNARY(sinh) PLUMB_UNARY(sqrt) PLUMB_UNARY(tan)
    PLUMB_UNARY(tanh) PLUMB_UNARY(tgamma) PLUMB_UNARY(trunc)
    PLUMB_BINARY(atan2) PLUMB_BINARY(copysign) PLUMB_BINARY(fdim) PLUMB_BINARY(fmax) PLUMB_BINARY(fmin) PLUMB_BINARY(fmod)
    PLUMB_BINARY(hypot) PLUMB_BINARY(pow) PLUMB_BINARY(remainder)
};

#undef PLUMB_UNARY
#undef PLUMB_BINARY

}  // namespace

const void* FindHostFunction(absl::string_view name) {
  for (const HostFunction& function : kFunctions) {
    if (function.name == name) return function.address;
  }
  return nullptr;
}

}  // namespace plumb
