"""Exchange with other libraries."""

from plumb.utils import dlpack
