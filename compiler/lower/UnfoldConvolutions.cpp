// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions of few windows become products with the unfolded image (im2col).
//
//   y  [n,o,h,w]  →  y'[nhw, o]    = col[nhw, cij] · K[o, cij]ᵀ
//   k' [o,c,i,j]  →  k'[o, cij]    = dy[nhw, o]ᵀ · col[nhw, cij]
//   x' [n,c,h,w]  →  col'[nhw,cij] = dy[nhw, o] · K[o, cij], summed where windows overlap
//
// A convolution computes with lanes of channels, for which AssignLayouts transposes the kernel: once forward, once
// backward, and the kernel's gradient back, in each step. Where windows are few, as in the last layers of a network at
// batch 1, kernels are all that moves through memory. Products read a kernel as it is, and the update of the kernel is
// part of the product that makes its gradient. Batches that fill vectors stay: AssignLayouts can make them innermost,
// which transposes no kernels either, but for the complete network. Test: test/compiler/lower/unfold_convolutions.mlir

#include "compiler/lower/LayoutGroups.h"
#include "compiler/lower/Passes.h"
#include "dialects/device/ir/Device.h"
#include "dialects/net/ir/AdjointBuilder.h"
#include "dialects/net/ir/Inference.h"
#include "dialects/net/ir/NetContractionOps.h"
#include "dialects/net/ir/NetShapeOps.h"

namespace plumb {
#define GEN_PASS_DEF_UNFOLDCONVOLUTIONSPASS
#include "compiler/lower/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

/// A kernel must have as many times more output channels than there are windows. Measured with AVX-512, forward and
/// backward with Momentum, 3x3 windows: 512 channels on 2x2, 4x4 and 8x8 pixels 2.7, 2.3 and 1.3 times as fast, 256
/// channels 1.7, 1.7 and 1.0 times.
static constexpr int64_t kChannelsPerWindow = 8;

/// Each element of a window is a slice and a sum of its own: more of them make too much code.
static constexpr int64_t kMaxOffsets = 64;

static ArrayRef<int64_t> getShape(Value value) { return net::tensorType(value).getShape(); }

namespace {

/// One convolution, forward or backward, with its kernel as a matrix [out, in · rows · columns].
class Unfolding {
public:
  template <typename Op>
  Unfolding(Op op, Value image, Value kernel, Value result)
      : builder(op.getLoc(), op), image(getShape(image)), kernel(getShape(kernel)), result(getShape(result)),
        window(net::Window::get(this->kernel.take_back(2), op.getStride(), op.getPad(), op.getDilation())) {}

  Value getResult(Value x, Value weight);
  Value getWeightGrad(Value x, Value dy);
  Value getInputGrad(Value dy, Value weight);

  /// Whether there are so few windows that the products take less time than the convolution.
  bool pays() const;

private:
  /// The box of the padded image that the kernel's element (i, j) is multiplied with, [batch, channels, rows, columns].
  struct Box {
    net::Shape begin, end, strides;
  };
  int64_t countWindows() const { return result[0] * result[2] * result[3]; }
  int64_t countOffsets() const { return kernel[2] * kernel[3]; }
  Box getBox(int64_t offset) const;
  net::Shape getPaddedShape() const;
  Value unfold(Value x);
  Value fold(Value columns);
  Value toMatrix(Value weight) { return builder.reshape(weight, {kernel[0], kernel[1] * countOffsets()}); }
  /// A result, or its adjoint, as rows of channels: [windows, channels].
  Value toRows(Value y) {
    return builder.reshape(builder.transpose(y, {0, 2, 3, 1}), {countWindows(), getShape(y)[1]});
  }

  net::AdjointBuilder builder;
  ArrayRef<int64_t> image, kernel, result;
  net::Window window;
};

struct UnfoldConvolutionsPass : public plumb::impl::UnfoldConvolutionsPassBase<UnfoldConvolutionsPass> {
  using UnfoldConvolutionsPassBase::UnfoldConvolutionsPassBase;
  void runOnOperation() override;
};

} // namespace

bool Unfolding::pays() const {
  return image[0] % kBlockEntries != 0 && countOffsets() <= kMaxOffsets &&
         countWindows() * kChannelsPerWindow <= kernel[0];
}

Unfolding::Box Unfolding::getBox(int64_t offset) const {
  int64_t position[] = {offset / kernel[3], offset % kernel[3]};
  Box box{{0, 0}, {image[0], image[1]}, {1, 1}};
  for (unsigned dim : {0u, 1u}) {
    int64_t begin = position[dim] * window.dilation[dim];
    box.begin.push_back(begin);
    box.end.push_back(begin + (result[2 + dim] - 1) * window.stride[dim] + 1);
    box.strides.push_back(window.stride[dim]);
  }
  return box;
}

net::Shape Unfolding::getPaddedShape() const {
  return {image[0], image[1], window.padded(0, image[2]), window.padded(1, image[3])};
}

/// [windows, in · rows · columns].
Value Unfolding::unfold(Value x) {
  Value padded = net::PadOp::create(builder, x, ArrayRef<int64_t>{0, 0, window.pad[0], window.pad[2]},
                                    ArrayRef<int64_t>{0, 0, window.pad[1], window.pad[3]}, APFloat(0.0));
  SmallVector<Value> boxes;
  for (int64_t offset : llvm::seq(countOffsets())) {
    Box box = getBox(offset);
    boxes.push_back(net::SliceOp::create(builder, padded, box.begin, box.end, box.strides));
  }
  Value stacked = net::StackOp::create(builder, boxes, 2);
  return builder.reshape(builder.transpose(stacked, {0, 3, 4, 1, 2}), {countWindows(), kernel[1] * countOffsets()});
}

/// The adjoint of `unfold`.
Value Unfolding::fold(Value columns) {
  Value boxes = builder.transpose(builder.reshape(columns, {image[0], result[2], result[3], image[1], countOffsets()}),
                                  {4, 0, 3, 1, 2});
  Value sum;
  for (int64_t offset : llvm::seq(countOffsets())) {
    Box box = getBox(offset);
    Value part = net::SliceOp::create(builder, boxes, ArrayRef<int64_t>{offset}, ArrayRef<int64_t>{offset + 1},
                                      ArrayRef<int64_t>{1});
    part = builder.reshape(part, getShape(boxes).drop_front());
    part = net::SliceGradOp::create(builder, part, getPaddedShape(), box.begin, box.strides);
    sum = sum ? builder.add(sum, part) : part;
  }
  net::Shape begin = {0, 0, window.pad[0], window.pad[2]};
  net::Shape end = {image[0], image[1], window.pad[0] + image[2], window.pad[2] + image[3]};
  return net::SliceOp::create(builder, sum, begin, end, ArrayRef<int64_t>{1, 1, 1, 1});
}

Value Unfolding::getResult(Value x, Value weight) {
  Value rows = builder.matmul(unfold(x), toMatrix(weight), false, true);
  return builder.transpose(builder.reshape(rows, {result[0], result[2], result[3], result[1]}), {0, 3, 1, 2});
}

Value Unfolding::getWeightGrad(Value x, Value dy) {
  return builder.reshape(builder.matmul(toRows(dy), unfold(x), true, false), kernel);
}

Value Unfolding::getInputGrad(Value dy, Value weight) {
  return fold(builder.matmul(toRows(dy), toMatrix(weight), false, false));
}

/// Replaces `op` by what `build` makes if it has few windows.
template <typename Op>
static void unfold(Op op, Value image, Value kernel, Value result, llvm::function_ref<Value(Unfolding &)> build) {
  Unfolding unfolding(op, image, kernel, result);
  if (op.getGroup() != 1 || !unfolding.pays())
    return;
  op.replaceAllUsesWith(build(unfolding));
  op.erase();
}

void UnfoldConvolutionsPass::runOnOperation() {
  getOperation()->walk([](device::LoopOp loop) {
    loop.walk([](Operation *op) {
      if (auto conv = dyn_cast<net::Conv2DOp>(op)) {
        Value x = conv.getX(), weight = conv.getWeight();
        unfold(conv, x, weight, conv.getResult(), [=](Unfolding &u) { return u.getResult(x, weight); });
      } else if (auto grad = dyn_cast<net::Conv2DWeightGradOp>(op)) {
        Value x = grad.getX(), dy = grad.getDy();
        unfold(grad, x, grad.getResult(), dy, [=](Unfolding &u) { return u.getWeightGrad(x, dy); });
      } else if (auto grad = dyn_cast<net::Conv2DInputGradOp>(op)) {
        Value dy = grad.getDy(), weight = grad.getWeight();
        unfold(grad, grad.getResult(), weight, dy, [=](Unfolding &u) { return u.getInputGrad(dy, weight); });
      }
    });
  });
}
