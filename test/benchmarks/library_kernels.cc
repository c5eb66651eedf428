// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What oneDNN, OpenBLAS and libxsmm make of single kernels: one thread, operands warm as the shape allows. Not part of
// the build, since nothing here may depend on those libraries; tools/dev/install_peers compiles it outside the
// repository:
//
//   g++ -O2 -std=c++17 library_kernels.cc -o FOLDER/library_kernels -ldnnl -lopenblas -lxsmm
//
// Each argument is a job; each prints a line of JSON with the best and the median GFLOP/s:
//   LIBRARY:gemm:M,N,K             onednn, openblas or xsmm; C = A B, row-major
//   onednn:conv:N,IC,H,OC,K,S,P    forward in the layouts it likes best; also conv_data and conv_weights

#include <cblas.h>
#include <libxsmm.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <oneapi/dnnl/dnnl.hpp>
#include <sstream>
#include <string>
#include <vector>

using dnnl::memory;
using Sizes = std::vector<long>;

namespace {

using Clock = std::chrono::steady_clock;

double Seconds(const std::function<void()>& work, long times) {
  const auto start = Clock::now();
  for (long i = 0; i < times; ++i) work();
  return std::chrono::duration<double>(Clock::now() - start).count() / static_cast<double>(times);
}

void Report(const std::string& job, double flops, const std::function<void()>& work) {
  work();
  const double once = std::max(Seconds(work, 2), 1e-7);
  const long times = std::max(1L, static_cast<long>(0.03 / once));
  std::vector<double> speeds;
  for (int i = 0; i < 9; ++i) speeds.push_back(flops / Seconds(work, times) / 1e9);
  std::sort(speeds.begin(), speeds.end());
  std::printf("{\"job\": \"%s\", \"gflops\": %.2f, \"best\": %.2f}\n", job.c_str(), speeds[speeds.size() / 2],
              speeds.back());
  std::fflush(stdout);
}

std::vector<float> Data(size_t size) {
  std::vector<float> data(size);
  for (size_t i = 0; i < size; ++i) data[i] = static_cast<float>(i * 7 % 13) / 13 - 0.5f;
  return data;
}

void Gemm(const std::string& job, const std::string& library, const Sizes& s) {
  const long m = s[0], n = s[1], k = s[2];
  std::vector<float> a = Data(m * k), b = Data(k * n), c(m * n);
  const float one = 1, zero = 0;
  const libxsmm_blasint xm = n, xn = m, xk = k;
  Report(job, 2.0 * m * n * k, [&] {
    if (library == "onednn") dnnl_sgemm('N', 'N', m, n, k, 1, a.data(), k, b.data(), n, 0, c.data(), n);
    if (library == "openblas") {
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a.data(), k, b.data(), n, 0, c.data(), n);
    }
    if (library == "xsmm")
      libxsmm_sgemm("N", "N", &xm, &xn, &xk, &one, b.data(), &xm, a.data(), &xk, &zero, c.data(), &xm);
  });
}

memory Fill(const dnnl::engine& engine, const memory::desc& desc) {
  memory result(desc, engine);
  auto* data = static_cast<float*>(result.get_data_handle());
  for (size_t i = 0; i < desc.get_size() / sizeof(float); ++i) data[i] = static_cast<float>(i * 7 % 13) / 13 - 0.5f;
  return result;
}

void Convolution(const std::string& job, const std::string& kind, const Sizes& s) {
  const long n = s[0], ic = s[1], h = s[2], oc = s[3], k = s[4], stride = s[5], pad = s[6];
  const long oh = (h + 2 * pad - k) / stride + 1;
  dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  auto any = [](const memory::dims& dims) {
    return memory::desc(dims, memory::data_type::f32, memory::format_tag::any);
  };
  const memory::desc x = any({n, ic, h, h}), w = any({oc, ic, k, k}), y = any({n, oc, oh, oh});
  const memory::dims strides = {stride, stride}, pads = {pad, pad};
  const auto direct = dnnl::algorithm::convolution_direct;
  const dnnl::convolution_forward::primitive_desc forward(
      {dnnl::prop_kind::forward_training, direct, x, w, y, strides, pads, pads}, engine);
  const double flops = 2.0 * n * oc * oh * oh * ic * k * k;
  auto run = [&](const dnnl::primitive& primitive, const std::unordered_map<int, memory>& arguments) {
    Report(job, flops, [&] {
      primitive.execute(stream, arguments);
      stream.wait();
    });
  };
  if (kind == "conv") {
    run(dnnl::convolution_forward(forward), {{DNNL_ARG_SRC, Fill(engine, forward.src_desc())},
                                             {DNNL_ARG_WEIGHTS, Fill(engine, forward.weights_desc())},
                                             {DNNL_ARG_DST, Fill(engine, forward.dst_desc())}});
  } else if (kind == "conv_data") {
    const dnnl::convolution_backward_data::primitive_desc back({direct, x, w, y, strides, pads, pads}, engine, forward);
    run(dnnl::convolution_backward_data(back), {{DNNL_ARG_DIFF_SRC, Fill(engine, back.diff_src_desc())},
                                                {DNNL_ARG_WEIGHTS, Fill(engine, back.weights_desc())},
                                                {DNNL_ARG_DIFF_DST, Fill(engine, back.diff_dst_desc())}});
  } else {
    const dnnl::convolution_backward_weights::primitive_desc back({direct, x, w, y, strides, pads, pads}, engine,
                                                                  forward);
    run(dnnl::convolution_backward_weights(back), {{DNNL_ARG_SRC, Fill(engine, back.src_desc())},
                                                   {DNNL_ARG_DIFF_WEIGHTS, Fill(engine, back.diff_weights_desc())},
                                                   {DNNL_ARG_DIFF_DST, Fill(engine, back.diff_dst_desc())}});
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    std::istringstream job(argv[i]);
    std::string library, kind, size;
    std::getline(job, library, ':');
    std::getline(job, kind, ':');
    Sizes sizes;
    while (std::getline(job, size, ',')) sizes.push_back(std::atol(size.c_str()));
    if (kind == "gemm") {
      Gemm(argv[i], library, sizes);
    } else {
      Convolution(argv[i], kind, sizes);
    }
  }
}
