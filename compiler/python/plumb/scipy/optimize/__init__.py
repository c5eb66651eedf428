"""Minimisation and assignment. The search runs in plain Python; each evaluation of the function is compiled code."""

from plumb.common._offers import not_offered as _not_offered
from plumb.common.api import HostFunction as _HostFunction
from plumb.scipy.optimize import linear_sum_assignment as _assignment
from plumb.scipy.optimize.line_search import line_search as _line_search
from plumb.scipy.optimize.minimize import minimize as _minimize

_SEARCHES = "it decides by values how to go on; call it from plain Python"
line_search, minimize = _HostFunction(_line_search, _SEARCHES), _HostFunction(_minimize, _SEARCHES)
linear_sum_assignment = _HostFunction(_assignment.linear_sum_assignment, _SEARCHES)

__getattr__ = _not_offered(__name__)
