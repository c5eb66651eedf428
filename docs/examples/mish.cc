// Mish, x * tanh(log(1 + exp(x))), and its gradient: two custom operators for custom_operators.py.

#include <cmath>
#include <cstdint>

namespace {

int64_t count(int rank, const int64_t *shape) {
  int64_t elements = 1;
  for (int axis = 0; axis < rank; ++axis)
    elements *= shape[axis];
  return elements;
}

// tanh(log(1 + e^x)) = (a² + 2a) / (a² + 2a + 2) with a = e^x; it is 1 where e^x is large.
float gate(float x) {
  if (x > 20.0f)
    return 1.0f;
  const float a = std::exp(x), n = a * (a + 2.0f);
  return n / (n + 2.0f);
}

} // namespace

// Takes x; yields Mish of it.
extern "C" int mish(int nparam, void **params, int *ndims, int64_t **shapes, const char **, void *, void *) {
  if (nparam != 2)
    return 1;
  const float *x = static_cast<const float *>(params[0]);
  float *y = static_cast<float *>(params[1]);
  const int64_t elements = count(ndims[0], shapes[0]);
  for (int64_t i = 0; i < elements; ++i)
    y[i] = x[i] * gate(x[i]);
  return 0;
}

// Takes x, y and the adjoint of y; yields the adjoint of x.
extern "C" int mish_gradient(int nparam, void **params, int *ndims, int64_t **shapes, const char **, void *, void *) {
  if (nparam != 4)
    return 1;
  const float *x = static_cast<const float *>(params[0]);
  const float *dy = static_cast<const float *>(params[2]);
  float *dx = static_cast<float *>(params[3]);
  const int64_t elements = count(ndims[0], shapes[0]);
  for (int64_t i = 0; i < elements; ++i) {
    const float t = gate(x[i]), sigmoid = 1.0f / (1.0f + std::exp(-x[i]));
    dx[i] = dy[i] * (t + x[i] * (1.0f - t * t) * sigmoid);
  }
  return 0;
}
