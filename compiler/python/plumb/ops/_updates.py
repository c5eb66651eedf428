"""The rules by which optimizers change weights, in the parsable subset: one formula for layers' optimizers and operators.

A rule takes the weight, what the optimizer keeps for it, the gradient and the coefficients, tensors or numbers. It changes
nothing: it gives the new weight and what is kept then, in this order.
"""

import numpy as np

from plumb.common import dtype as mstype
from plumb.common.tensor import Tensor
from plumb.ops import _functions as F


def _rest(weight, beta):
    """1 - beta, of a number in f32, as powers of beta are computed: so the errors of the two cancel."""
    if isinstance(beta, Tensor) or weight.dtype == mstype.float64:
        return 1.0 - beta
    return float(np.float32(1.0) - np.float32(beta))


def length(x):
    """The Euclidean length of all of x."""
    return F.sqrt(F.reduce_sum(F.square(x)))


# -- descent and momentum


def descent(weight, gradient, rate):
    """p = p - lr * g."""
    return (weight - gradient * rate,)


def _moved(weight, moment, gradient, rate, factor, nesterov):
    """p - lr * v, or p - lr * (g + momentum * v) with `nesterov`."""
    return weight - (gradient + moment * factor if nesterov else moment) * rate


def momentum(weight, moment, gradient, rate, factor, use_nesterov=False, gradient_scale=1.0, share=1.0):
    """v = momentum * v + g; p = p - lr * v, or p - lr * (g + momentum * v) with `use_nesterov`.

    Args:
      gradient_scale: g is multiplied by it.
      share: how much of g goes into v.
    """
    gradient = gradient if gradient_scale == 1.0 else gradient * gradient_scale
    moment = moment * factor + (gradient if isinstance(share, float) and share == 1.0 else gradient * share)
    return _moved(weight, moment, gradient, rate, factor, use_nesterov), moment


def momentum_decayed(weight, moment, gradient, rate, factor, decay, scale):
    """`momentum` of (g + decay * p) * scale."""
    return momentum(weight, moment, (gradient + weight * decay) * scale, rate, factor)


def keras_momentum(weight, moment, gradient, rate, factor, use_nesterov=False):
    """v = momentum * v - lr * g; p = p + v, or p + momentum * v - lr * g with `use_nesterov`."""
    step = gradient * rate
    moment = moment * factor - step
    return weight + (moment * factor - step if use_nesterov else moment), moment


def sgd(weight, moment, stat, gradient, rate, factor, dampening=0.0, weight_decay=0.0, nesterov=False):
    """v = momentum * v + (1 - dampening) * g, or g where `stat` is above 0, which becomes 0; p = p - lr * v."""
    gradient = gradient if weight_decay == 0.0 else gradient + weight * weight_decay
    moment = F.select(F.greater(stat, 0.0), gradient, moment * factor + gradient * (1.0 - dampening))
    return _moved(weight, moment, gradient, rate, factor, nesterov), moment, F.zeros_like(stat)


# -- Adam and its relatives


def _averages(weight, moment1, moment2, gradient, beta1, beta2):
    """Running means of gradients and of their squares: m = beta1 * m + (1 - beta1) * g; v = beta2 * v + (1 - beta2) * g^2."""
    moment1 = moment1 * beta1 + gradient * _rest(weight, beta1)
    return moment1, moment2 * beta2 + F.square(gradient) * _rest(weight, beta2)


def unbiased(power1, power2):
    """The factor of Adam's rate by the betas' powers: sqrt(1 - beta2^t) / (1 - beta1^t)."""
    return F.sqrt(1.0 - power2) / (1.0 - power1)


def adam(weight, moment1, moment2, gradient, rate, beta1, beta2, epsilon, use_nesterov=False):
    """p = p - lr * m / (sqrt(v) + epsilon), with the bias' correction in lr. (Kingma and Ba 2015.)

    With `use_nesterov` it has beta1 * m + (1 - beta1) * g in place of m. (Dozat 2016.)
    """
    moment1, moment2 = _averages(weight, moment1, moment2, gradient, beta1, beta2)
    ahead = moment1 * beta1 + gradient * _rest(weight, beta1) if use_nesterov else moment1
    return weight - ahead * rate / (F.sqrt(moment2) + epsilon), moment1, moment2


def adam_by_powers(weight, moment1, moment2, gradient, power1, power2, rate, beta1, beta2, epsilon, use_nesterov=False):
    """`adam` with the betas' powers: p = p - lr * sqrt(1 - beta2^t) / (1 - beta1^t) * m / (sqrt(v) + epsilon)."""
    return adam(weight, moment1, moment2, gradient, rate * unbiased(power1, power2), beta1, beta2, epsilon, use_nesterov)


def adam_decayed(weight, moment1, moment2, gradient, rate, beta1, beta2, epsilon, decay):
    """Adam without bias correction, with decoupled decay, unless it is None: p = p - lr * (m / (sqrt(v) + epsilon) + decay * p)."""
    moment1, moment2 = _averages(weight, moment1, moment2, gradient, beta1, beta2)
    step = moment1 / (F.sqrt(moment2) + epsilon)
    step = step if decay is None else step + weight * decay
    return weight - step * rate, moment1, moment2


def adam_cast(weight, moment1, moment2, gradient, rate, beta1, beta2, epsilon, decay, norm):
    """`adam_decayed` of g / norm, in the element type of the moments: the weight and g may be of f16 beside moments of f32."""
    wide = moment1.dtype
    changed, moment1, moment2 = adam_decayed(F.cast(weight, wide), moment1, moment2, F.cast(gradient, wide) / norm, rate, beta1, beta2,
                                             epsilon, decay)
    return F.cast(changed, weight.dtype), moment1, moment2


def amsgrad(weight, moment1, moment2, largest, gradient, rate, beta1, beta2, epsilon, use_nesterov=False):
    """`adam` with the largest v so far in place of v. (Reddi et al. 2018.)"""
    moment1, moment2 = _averages(weight, moment1, moment2, gradient, beta1, beta2)
    largest = F.maximum(largest, moment2)
    ahead = moment1 * beta1 + gradient * _rest(weight, beta1) if use_nesterov else moment1
    return weight - ahead * rate / (F.sqrt(largest) + epsilon), moment1, moment2, largest


def amsgrad_by_powers(weight, moment1, moment2, largest, gradient, power1, power2, rate, beta1=0.9, beta2=0.999, epsilon=1e-8):
    """`amsgrad` with the betas' powers."""
    return amsgrad(weight, moment1, moment2, largest, gradient, rate * unbiased(power1, power2), beta1, beta2, epsilon)


def adamax(weight, moment1, moment2, gradient, rate, beta1, beta2, epsilon):
    """m = beta1 * m + (1 - beta1) * g; v = max(beta2 * v, |g|); p = p - lr * m / (v + epsilon), the bias' correction in lr."""
    moment1 = moment1 * beta1 + gradient * _rest(weight, beta1)
    moment2 = F.maximum(moment2 * beta2, F.abs(gradient))
    return weight - moment1 * rate / (moment2 + epsilon), moment1, moment2


def adamax_by_power(weight, moment1, moment2, gradient, power1, rate, beta1, beta2, epsilon):
    """`adamax` with the power of beta1: lr / (1 - beta1^t)."""
    return adamax(weight, moment1, moment2, gradient, rate / (1.0 - power1), beta1, beta2, epsilon)


def lamb(weight, moment1, moment2, gradient, rate, beta1, beta2, epsilon, factors, decay):
    """Adam's update u with decoupled decay, scaled to the length of the weight: p = p - lr * |p| / |u| * u.

    u = m_t / (sqrt(v_t) + epsilon) + decay * p, both moments multiplied by `factors`; where a length is 0 that of 1 is taken.
    (LAMB, You et al. 2019, phi the identity.)
    """
    moment1, moment2 = _averages(weight, moment1, moment2, gradient, beta1, beta2)
    update = moment1 * factors[0] / (F.sqrt(moment2 * factors[1]) + epsilon)
    update = update if decay is None else update + weight * decay
    return weight - update * (rate * _trust(weight, update)), moment1, moment2


def _trust(weight, update):
    """|weight| / |update|, or 1 where one of them is 0."""
    of_weight, of_update = length(weight), length(update)
    usable = F.logical_and(F.greater(of_weight, 0.0), F.greater(of_update, 0.0))
    return F.select(usable, of_weight / F.select(usable, of_update, F.ones_like(of_update)), F.ones_like(of_weight))


# -- rates that follow the squares of gradients


def adagrad(weight, accum, gradient, rate, update_slots=True, epsilon=0.0):
    """h = h + g^2; p = p - lr * g / (sqrt(h) + epsilon). Without `update_slots` h stays.

    MindSpore 2.0.0's `SparseApplyAdagradV2` on a CPU divides by sqrt(h + lr), whatever epsilon is.
    """
    accum = accum + F.square(gradient) if update_slots else accum
    root = F.sqrt(accum) if epsilon == 0.0 else F.sqrt(accum) + epsilon
    return weight - gradient * rate / root, accum


def adagrad_dual(weight, total, squares, gradient, rate, l1, l2, count):
    """Adagrad by dual averaging: G = G + g; h = h + g^2; p = -lr * soft(G, l1 * t) / (l2 * t * lr + sqrt(h)).

    soft(x, a) = sign(x) * max(|x| - a, 0), in step t. (Duchi, Hazan and Singer 2011.) MindSpore 2.0.0's `ApplyAdagradDA` on a CPU takes
    sign(G) * |G - l1 * t| for it: with l1 weights grow where G is negative, and none becomes 0.
    """
    total, squares = total + gradient, squares + F.square(gradient)
    return -(soft(total, l1 * count) * rate) / (F.sqrt(squares) + l2 * count * rate), total, squares


def adadelta(weight, accum, accum_update, gradient, rate, rho, epsilon):
    """s = rho * s + (1 - rho) * g^2; u = sqrt(d + epsilon) / sqrt(s + epsilon) * g; d = rho * d + (1 - rho) * u^2; p = p - lr * u."""
    accum = accum * rho + F.square(gradient) * (1.0 - rho)
    update = F.sqrt(accum_update + epsilon) / F.sqrt(accum + epsilon) * gradient
    return weight - update * rate, accum, accum_update * rho + F.square(update) * (1.0 - rho)


def rmsprop(weight, square, moment, gradient, rate, decay, factor, epsilon):
    """s = decay * s + (1 - decay) * g^2; m = momentum * m + lr * g / sqrt(s + epsilon); p = p - m."""
    square = square * decay + F.square(gradient) * (1.0 - decay)
    moment = moment * factor + gradient * rate / F.sqrt(square + epsilon)
    return weight - moment, square, moment


def rmsprop_centred(weight, mean, square, moment, gradient, rate, decay, factor, epsilon):
    """`rmsprop` with the square of the gradients' running mean taken off s under the root."""
    square = square * decay + F.square(gradient) * (1.0 - decay)
    mean = mean * decay + gradient * (1.0 - decay)
    moment = moment * factor + gradient * rate / F.sqrt(square - F.square(mean) + epsilon)
    return weight - moment, mean, square, moment


# -- penalties


def soft(x, reach):
    """sign(x) * max(|x| - reach, 0); x itself where the reach is not above 0."""
    if isinstance(reach, (int, float)):
        return x if reach <= 0 else F.sign(x) * F.maximum(F.abs(x) - reach, 0.0)
    return F.sign(x) * F.maximum(F.abs(x) - F.maximum(reach, 0.0), 0.0)


def proximal_descent(weight, gradient, rate, l1, l2):
    """z = p - lr * g; p = soft(z, lr * l1) / (1 + lr * l2). (Duchi and Singer 2009.)"""
    return (soft(weight - gradient * rate, rate * l1) / (1.0 + rate * l2),)


def proximal_adagrad(weight, accum, gradient, rate, l1, l2):
    """h = h + g^2; r = lr / sqrt(h); z = p - r * g; p = soft(z, r * l1) / (1 + r * l2). (Duchi and Singer 2009.)"""
    accum = accum + F.square(gradient)
    reach = rate / F.sqrt(accum)
    moved = soft(weight - reach * gradient, 0.0 if isinstance(l1, float) and l1 == 0.0 else reach * l1)
    return moved / (1.0 + reach * l2), accum


def ftrl(weight, accum, linear, gradient, rate, l1, l2, lr_power, l2_shrinkage=0.0):
    """Follow the regularised leader, proximal (McMahan et al. 2013).

    n' = n + g^2; z = z + g - (n'^-k - n^-k) / lr * p with k = `lr_power`; p = (sign(z) * l1 - z) / (n'^-k / lr + 2 * l2)
    where |z| > l1, else 0. With `l2_shrinkage`, the g in z is g + 2 * l2_shrinkage * p. MindSpore 2.0.0's `ApplyFtrl` on a CPU has l1 for
    sign(z) * l1, so that l1 makes positive weights larger; its sparse ones are as here.
    """
    total = accum + F.square(gradient)
    pulled = gradient if l2_shrinkage == 0.0 else gradient + weight * (2.0 * l2_shrinkage)
    after = _power(total, lr_power)
    linear = linear + pulled - (after - _power(accum, lr_power)) / rate * weight
    moved = (F.sign(linear) * l1 - linear) / (after / rate + 2.0 * l2)
    return F.select(F.greater(F.abs(linear), l1), moved, F.zeros_like(moved)), total, linear


def _power(x, exponent):
    """x ^ -exponent."""
    return F.sqrt(x) if isinstance(exponent, float) and exponent == -0.5 else F.pow(x, -exponent)


# -- signs and layers


def add_sign(weight, moment, gradient, rate, alpha, sign_decay, beta):
    """m = beta * m + (1 - beta) * g; p = p - lr * (alpha + sign_decay * sign(g) * sign(m)) * g. (Bello et al. 2017.)"""
    moment = moment * beta + gradient * _rest(weight, beta)
    return weight - (F.sign(gradient) * F.sign(moment) * sign_decay + alpha) * gradient * rate, moment


def power_sign(weight, moment, gradient, rate, logbase, sign_decay, beta):
    """m = beta * m + (1 - beta) * g; p = p - lr * exp(logbase * sign_decay * sign(g) * sign(m)) * g. (Bello et al. 2017.)"""
    moment = moment * beta + gradient * _rest(weight, beta)
    return weight - F.exp(F.sign(gradient) * F.sign(moment) * (sign_decay * logbase)) * gradient * rate, moment


def layered(weight, gradient, of_weight, of_gradient, decay, rate, epsilon, coefficient, use_clip):
    """A layer's gradient scaled by lengths: (g + wd * p) * c * |p| / (|g| + wd * |p| + epsilon), as it is where a length is 0.

    With `use_clip` the factor is at most the learning rate, divided by it. (LARS, You et al. 2017.)
    """
    factor = of_weight * coefficient / (of_gradient + of_weight * decay + epsilon)
    usable = F.logical_and(F.greater(of_weight, 0.0), F.greater(of_gradient, 0.0))
    factor = F.select(usable, factor, F.ones_like(factor))
    factor = F.minimum(factor / rate, 1.0) if use_clip else factor
    undecayed = isinstance(decay, (int, float)) and decay == 0
    return (gradient if undecayed else gradient + weight * decay) * factor
