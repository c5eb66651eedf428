#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
exec /usr/bin/python3 test/runtime/python/signed_test.py
