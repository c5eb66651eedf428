#!/bin/bash
# Fails while a page under docs/dialects or docs/passes differs from what tablegen writes today.
export PLUMB_GENERATED=$PWD
exec tools/dev/generate_docs --check
