"""How Model and build_train_network scale the loss."""

from plumb.nn.wrap.loss_scale import DynamicLossScaleUpdateCell, FixedLossScaleUpdateCell


class LossScaleManager:
    """Base of managers."""

    def get_loss_scale(self):
        """Returns the scale."""
        raise NotImplementedError(f"{type(self).__name__}.get_loss_scale")

    def update_loss_scale(self, overflow):
        """Changes the scale by whether a step overflowed."""
        raise NotImplementedError(f"{type(self).__name__}.update_loss_scale")

    def get_update_cell(self):
        """Returns the cell that does so inside the training step, or None."""
        raise NotImplementedError(f"{type(self).__name__}.get_update_cell")


class FixedLossScaleManager(LossScaleManager):
    """A scale that stays.

    Args:
      loss_scale: the scale.
      drop_overflow_update: whether steps whose gradients overflow change nothing. Otherwise every step does, and the
        optimizer is told the same `loss_scale`.
    """

    def __init__(self, loss_scale=128.0, drop_overflow_update=True):
        if isinstance(loss_scale, bool) or not isinstance(loss_scale, (int, float)) or loss_scale < 1:
            raise ValueError(f"The argument 'loss_scale' must be at least 1, but got {loss_scale}.")
        self._loss_scale, self._drops = loss_scale, bool(drop_overflow_update)

    def get_loss_scale(self):
        """Returns the scale."""
        return self._loss_scale

    def get_drop_overflow_update(self):
        """Returns whether steps that overflow change nothing."""
        return self._drops

    def update_loss_scale(self, overflow):
        """Does nothing."""

    def get_update_cell(self):
        """Returns a FixedLossScaleUpdateCell, or None when no step is dropped."""
        return FixedLossScaleUpdateCell(self._loss_scale) if self._drops else None


class DynamicLossScaleManager(LossScaleManager):
    """A scale that shrinks by `scale_factor` when a step overflows and grows by it after `scale_window` steps without."""

    def __init__(self, init_loss_scale=2 ** 24, scale_factor=2, scale_window=2000):
        if isinstance(init_loss_scale, bool) or not isinstance(init_loss_scale, (int, float)) or init_loss_scale < 1:
            raise ValueError(f"The argument 'init_loss_scale' must be at least 1, but got {init_loss_scale}.")
        for name, value in (("scale_factor", scale_factor), ("scale_window", scale_window)):
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise ValueError(f"The argument '{name}' must be a positive int, but got {value}.")
        self.loss_scale, self.scale_factor, self.scale_window = init_loss_scale, scale_factor, scale_window
        self.increase_ratio, self.decrease_ratio = scale_factor, 1 / scale_factor
        self.cur_iter, self.last_overflow_iter = 1, 0

    def get_loss_scale(self):
        """Returns the scale."""
        return self.loss_scale

    def get_drop_overflow_update(self):
        """Returns True: steps that overflow change nothing."""
        return True

    def update_loss_scale(self, overflow):
        """Changes the scale on the host, for loops that users write there."""
        if overflow:
            self.loss_scale = max(self.loss_scale * self.decrease_ratio, 1)
            self.last_overflow_iter = self.cur_iter
        elif (self.cur_iter - self.last_overflow_iter) % self.scale_window == 0:
            self.loss_scale *= self.increase_ratio
        self.cur_iter += 1

    def get_update_cell(self):
        """Returns a DynamicLossScaleUpdateCell."""
        return DynamicLossScaleUpdateCell(self.loss_scale, self.scale_factor, self.scale_window)
