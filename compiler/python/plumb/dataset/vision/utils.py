"""`Inter`, under its r1.x place."""

from plumb.dataset.operations import Inter
