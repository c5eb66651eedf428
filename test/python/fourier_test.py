"""Discrete Fourier transforms beside NumPy's, SciPy's and PyTorch's: lengths of all factorisations, axes, scalings, gradients."""

import time
import unittest

import numpy as np
import torch

import plumb
import plumb.numpy as pnp
from plumb import Parameter, Tensor, nn, ops
from plumb.scipy import fft as cosines

# Powers of two and others, primes below and beyond what one product does, products of large primes.
LENGTHS = (1, 2, 3, 8, 17, 30, 61, 64, 67, 96, 101, 128, 202, 360, 625, 1009, 1024, 2187)
# Relative to the largest element of the result.
TOLERANCE = {np.float32: 1e-6, np.float64: 5e-15}


def signal(*shape, seed=0, kind=np.float64, real=False):
    """Normal numbers of `kind`, or complex ones of it."""
    rng = np.random.default_rng([seed, *shape])
    x = rng.standard_normal(shape)
    return (x if real else x + 1j * rng.standard_normal(shape)).astype(kind if real else np.result_type(kind, np.complex64))


def close(case, made, expected, tolerance, what):
    """Compares a tensor with an array; errors count against the largest element."""
    made = made.asnumpy()
    case.assertEqual(made.shape, expected.shape, what)
    scale = max(float(np.abs(expected).max(initial=0)), 1e-30)
    case.assertLess(float(np.abs(made - expected).max(initial=0)) / scale, tolerance, what)


class LengthsTest(unittest.TestCase):
    """One axis of every length."""

    def test_values(self):
        for kind, tolerance in TOLERANCE.items():
            x = [signal(2, n, seed=n, kind=kind) for n in LENGTHS]
            made = plumb.jit(lambda *xs: tuple([(ops.fft(z), ops.ifft(z), ops.fft(ops.real(z))) for z in xs]))(*map(Tensor, x))
            for n, z, (forward, inverse, real) in zip(LENGTHS, x, made):
                exact = z.astype(np.complex128)
                self.assertEqual(forward.asnumpy().dtype, z.dtype)
                close(self, forward, np.fft.fft(exact), tolerance, (kind, n))
                close(self, inverse, np.fft.ifft(exact), tolerance, (kind, n))
                close(self, real, np.fft.fft(exact.real), tolerance, (kind, n))

    def test_gradients(self):
        x = [signal(2, n, seed=n) for n in LENGTHS]
        w = [signal(2, n, seed=n + 1) for n in LENGTHS]

        def total(*values):
            summed = 0.0
            for number in range(len(LENGTHS)):
                y = ops.fft(values[number]) * ops.conj(values[len(LENGTHS) + number])
                summed = summed + ops.real(y * y).sum()
            return summed

        made = plumb.grad(total, tuple(range(len(x))))(*map(Tensor, x + w))
        for n, value, weight, gradient in zip(LENGTHS, x, w, made):
            t = torch.from_numpy(value).requires_grad_()
            y = torch.fft.fft(t) * torch.from_numpy(weight).conj()
            close(self, gradient, torch.autograd.grad((y * y).real.sum(), t)[0].numpy(), 1e-13, n)

    def test_a_million(self):
        """2^20 elements compile in seconds, with constants that are no matrix of them."""
        n = 1 << 20
        x = signal(n, kind=np.float32)
        start = time.monotonic()
        made = ops.fft(Tensor(x))
        self.assertLess(time.monotonic() - start, 120)
        close(self, made, np.fft.fft(x.astype(np.complex128)), 1e-6, n)


# Names, axes by PyTorch's argument, whether the input is real.
FUNCTIONS = [("fft", 1, False), ("ifft", 1, False), ("rfft", 1, True), ("irfft", 1, False), ("hfft", 1, False), ("ihfft", 1, True),
             ("fft2", 2, False), ("ifft2", 2, False), ("rfft2", 2, True), ("irfft2", 2, False), ("hfft2", 2, False), ("ihfft2", 2, True),
             ("fftn", 3, False), ("ifftn", 3, False), ("rfftn", 3, True), ("irfftn", 3, False), ("hfftn", 3, False), ("ihfftn", 3, True)]


def arguments(rng, count, shape):
    """Sizes, axes and scaling for a call, drawn."""
    axes = tuple(int(axis) for axis in rng.permutation(len(shape))[:count])
    axes = tuple(axis - len(shape) if rng.random() < 0.5 else axis for axis in axes)
    sizes = tuple(int(shape[axis] + rng.integers(-2, 4)) for axis in axes) if rng.random() < 0.5 else None
    return sizes, axes, (None, "backward", "forward", "ortho")[rng.integers(4)]


class FunctionsTest(unittest.TestCase):
    """All functions, of drawn sizes, axes and scalings, with gradients."""

    def check(self, seed):
        """Draws arguments for each function; one program holds all of them."""
        rng = np.random.default_rng(seed)
        calls, inputs = [], []
        for name, count, real in FUNCTIONS:
            shape = tuple(int(extent) for extent in rng.integers(4, 9, 3))
            sizes, axes, norm = arguments(rng, count, shape)
            if count == 1:
                sizes, axes = None if sizes is None else sizes[0], axes[0]
            calls.append((name, (sizes, axes, norm)))
            inputs.append(signal(*shape, seed=len(inputs), real=real))

        def total(*values):
            made, summed = (), 0.0
            for number in range(len(calls)):
                y = getattr(ops, calls[number][0])(values[number], *calls[number][1])
                made = made + (y,)
                z = y * y * (1 + 2j)
                summed = summed + ops.real(z).sum()
            return summed, made

        values, gradients = plumb.value_and_grad(total, tuple(range(len(inputs))), has_aux=True)(*map(Tensor, inputs))
        made = values[1]
        for (name, given), x, y, gradient in zip(calls, inputs, made, gradients):
            t = torch.from_numpy(x).requires_grad_()
            reference = getattr(torch.fft, name)(t, *given)
            close(self, y, reference.detach().resolve_conj().numpy(), 1e-13, (name, x.shape, given))
            slope = torch.autograd.grad((reference * reference * (1 + 2j)).real.sum(), t)[0]
            close(self, gradient, slope.resolve_conj().numpy(), 1e-12, (name, x.shape, given))

    def test_drawn(self):
        for seed in range(3):
            self.check(seed)

    def test_numpy_names(self):
        x = signal(4, 6, real=True)
        close(self, pnp.fft.rfft(Tensor(x), n=8, axis=0, norm="ortho"), np.fft.rfft(x, 8, 0, "ortho"), 1e-14, "rfft")
        close(self, pnp.fft.ifft2(Tensor(x)), np.fft.ifft2(x), 1e-14, "ifft2")
        close(self, pnp.fft.hfft(Tensor(x)), np.fft.hfft(x), 1e-14, "hfft")
        close(self, pnp.fft.irfftn(Tensor(x + 1j), axes=(1, 0)), np.fft.irfftn(x + 1j, axes=(1, 0)), 1e-14, "irfftn")
        close(self, pnp.fft.fftshift(Tensor(x)), np.fft.fftshift(x), 1e-14, "fftshift")

    def test_frequencies(self):
        for n in (1, 2, 7, 8):
            close(self, ops.fftfreq(n, 0.5), np.fft.fftfreq(n, 0.5), 1e-7, n)
            close(self, ops.rfftfreq(n, 0.5), np.fft.rfftfreq(n, 0.5), 1e-7, n)
            x = np.arange(n * 3).reshape(n, 3)
            np.testing.assert_array_equal(ops.fftshift(Tensor(x), (0,)).asnumpy(), np.fft.fftshift(x, 0))
            np.testing.assert_array_equal(ops.ifftshift(Tensor(x)).asnumpy(), np.fft.ifftshift(x))

    def test_element_types(self):
        self.assertIs(ops.fft(Tensor(np.arange(4, dtype=np.int32))).dtype, plumb.complex64)
        self.assertIs(ops.fft(Tensor(np.ones(4, np.float16))).dtype, plumb.complex64)
        self.assertIs(ops.rfft(Tensor(np.ones(4, np.float64))).dtype, plumb.complex128)
        self.assertIs(ops.irfft(Tensor(np.ones(4, np.complex64))).dtype, plumb.float32)

    def test_errors(self):
        x = Tensor(np.ones((2, 4), np.float32))
        for call, words in ((lambda: ops.fft(x, 0), "at least 1"), (lambda: ops.fft(x, norm="both"), "'norm'"),
                            (lambda: ops.fft(x, dim=2), "axis"), (lambda: ops.fftn(x, (2,), (0, 1)), "equally long"),
                            (lambda: ops.rfft(ops.fft(x)), "real numbers"),
                            (lambda: ops.FFTWithSize(1, False, False)(x), "complex64")):
            with self.assertRaises((TypeError, ValueError), msg=words) as caught:
                call()
            self.assertIn(words, str(caught.exception))

    def test_with_size(self):
        x, z = signal(2, 4, 6, real=True, kind=np.float32), signal(2, 4, 6, kind=np.float32)
        for count in (1, 2, 3):
            axes = tuple(range(3 - count, 3))
            for norm in ("backward", "forward", "ortho"):
                made = plumb.jit(lambda x, z, count=count, norm=norm: (
                    ops.FFTWithSize(count, False, False, norm)(z), ops.FFTWithSize(count, True, False, norm)(z),
                    ops.FFTWithSize(count, False, True, norm)(x), ops.FFTWithSize(count, False, True, norm, False)(x),
                    ops.FFTWithSize(count, True, True, norm, False)(z)))(Tensor(x), Tensor(z))
                options = {"axes": axes, "norm": norm}
                expected = (np.fft.fftn(z, **options), np.fft.ifftn(z, **options), np.fft.rfftn(x, **options),
                            np.fft.fftn(x, **options), np.fft.ifftn(z, **options).real)
                for number, (mine, theirs) in enumerate(zip(made, expected)):
                    close(self, mine, theirs, 1e-6, (count, norm, number))
        half = np.fft.rfftn(x[:, :, :5], axes=(1, 2)).astype(np.complex64)
        made = ops.FFTWithSize(2, True, True, signal_sizes=(4, 5))(Tensor(half))
        close(self, made, x[:, :, :5], 1e-6, "an odd size")

    def test_cosines(self):
        try:
            from scipy import fft as reference
        except ImportError:
            reference = None
        for n in (1, 2, 5, 8, 67):
            x = signal(3, n, real=True)
            k = np.arange(n)
            basis = np.cos(np.pi * (2 * k[None] + 1) * k[:, None] / (2 * n)) * np.sqrt(2 / n)
            basis[0] /= np.sqrt(2)
            close(self, cosines.dct(Tensor(x)), x @ basis.T, 1e-13, n)
            close(self, cosines.idct(Tensor(x)), x @ basis, 1e-13, n)
            close(self, cosines.dctn(Tensor(x), axes=(1,)), x @ basis.T, 1e-13, n)
            if reference:
                close(self, cosines.dct(Tensor(x), axis=0), reference.dct(x, 2, axis=0, norm="ortho"), 1e-13, n)


class SpectrogramTest(unittest.TestCase):
    """The short-time transform."""

    def test_sound(self):
        """Ten seconds at 16 kHz."""
        x = signal(160000, real=True, kind=np.float32)
        window = np.hanning(513)[:-1].astype(np.float32)
        made = ops.stft(Tensor(x), 512, 128, 512, Tensor(window), return_complex=True)
        expected = torch.stft(torch.from_numpy(x), 512, 128, 512, torch.from_numpy(window), return_complex=True).numpy()
        close(self, made, expected, 2e-6, "stft")

    def test_options(self):
        x = signal(2, 300, real=True)
        window = np.hanning(40) + 0.1
        for center in (True, False):
            for hop, normalized, onesided in ((16, True, True), (13, False, False), (70, False, True)):
                made = ops.stft(Tensor(x), 64, hop, 40, Tensor(window), center, "REFLECT", normalized, onesided, False)
                expected = torch.stft(torch.from_numpy(x), 64, hop, 40, torch.from_numpy(window), center, "reflect", normalized,
                                      onesided, return_complex=True)
                close(self, made, torch.view_as_real(expected).numpy(), 1e-13, (center, hop))
        self.assertEqual(ops.stft(Tensor(x), 64).shape, (2, 33, 19, 2))

    def test_gradient(self):
        x = signal(200, real=True)
        gradient = plumb.grad(lambda x: (ops.abs(ops.stft(x, 32, 8, return_complex=True)) ** 2 + 1e-3).log().sum())(Tensor(x))
        t = torch.from_numpy(x).requires_grad_()
        loss = (torch.stft(t, 32, 8, return_complex=True).abs() ** 2 + 1e-3).log().sum()
        close(self, gradient, torch.autograd.grad(loss, t)[0].numpy(), 1e-11, "stft")


MODES = 12


class Spectral(nn.Cell):
    """A layer of a Fourier neural operator: the lowest frequencies times complex weights, beside a product at each place."""

    def __init__(self, weight, local):
        super().__init__()
        self.weight = Parameter(Tensor(weight), name="weight")
        self.local = Parameter(Tensor(local), name="local")

    def construct(self, x):
        """(batch, channels, places) to the same."""
        spectrum = ops.rfft(x)[:, :, 0:MODES]
        mixed = ops.einsum("bim,iom->bom", spectrum, self.weight)
        smooth = ops.irfft(ops.pad(mixed, (0, x.shape[2] // 2 + 1 - MODES)), x.shape[2])
        return x + ops.gelu(smooth + ops.einsum("bix,io->box", x, self.local), approximate="none")


class OperatorTest(unittest.TestCase):
    """A Fourier neural operator trained beside PyTorch."""

    def test_training(self):
        channels, places = 8, 96
        weight = signal(channels, channels, MODES, kind=np.float32) * 0.2
        local = signal(channels, channels, real=True, kind=np.float32, seed=1) * 0.2
        x = signal(4, channels, places, real=True, kind=np.float32, seed=2)
        target = np.roll(x, 3, 2) * 0.5
        net = Spectral(weight, local)
        step = plumb.value_and_grad(lambda x, y: ((net(x) - y) ** 2).mean(), None, (net.weight, net.local))
        w, v = torch.from_numpy(weight.copy()).requires_grad_(), torch.from_numpy(local.copy()).requires_grad_()
        t, goal = torch.from_numpy(x), torch.from_numpy(target)
        losses = []
        for _ in range(4):
            mixed = torch.einsum("bim,iom->bom", torch.fft.rfft(t)[:, :, :MODES], w)
            smooth = torch.fft.irfft(torch.nn.functional.pad(mixed, (0, places // 2 + 1 - MODES)), places)
            made = t + torch.nn.functional.gelu(smooth + torch.einsum("bix,io->box", t, v))
            reference = ((made - goal) ** 2).mean()
            slopes = torch.autograd.grad(reference, (w, v))
            loss, gradients = step(Tensor(x), Tensor(target))
            losses.append(float(loss.asnumpy()))
            np.testing.assert_allclose(losses[-1], reference.item(), rtol=1e-5)
            for parameter, mine, theirs, other in zip((net.weight, net.local), gradients, slopes, (w, v)):
                close(self, mine, theirs.numpy(), 2e-5, parameter.name)
                ops.assign_sub(parameter, mine * 5.0)
                with torch.no_grad():
                    other -= 5.0 * theirs
        self.assertLess(losses[-1], losses[0])
        close(self, Tensor(net.weight.asnumpy()), w.detach().numpy(), 1e-4, "weight")


if __name__ == "__main__":
    unittest.main()
