#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# An object with loops and a manifest, linked with libplumb_exe.a, is a program that trains and asks for no library but
# libc and libm.
set -eu
out=$TEST_TMPDIR
test/runtime/testing/make_fake_executable --manifest "$out/manifest"
cat >"$out/manifest.S" <<EOF
.section .plumb.manifest,"a",@progbits
.globl plumb_manifest_start, plumb_manifest_end
.balign 64
plumb_manifest_start:
.incbin "$out/manifest"
plumb_manifest_end:
.section .note.GNU-stack,"",@progbits
EOF
c++ -std=c++17 -O1 -I. -c test/runtime/testing/fake_loops.cc -o "$out/loops.o"
c++ -c "$out/manifest.S" -o "$out/manifest.o"
c++ "$out/loops.o" "$out/manifest.o" runtime/exe/libplumb_exe.a -static-libstdc++ -static-libgcc -o "$out/train"

said=$("$out/train" --loop count --epochs 2 --sink-size 7)
[ "$said" = "epoch: 1 step: 7, loss is 7.0
epoch: 2 step: 7, loss is 14.0" ] || { echo "it said: $said"; exit 1; }
"$out/train" --help | grep -q '^Usage: train \[flags\]'
! "$out/train" operand 2>"$out/errors"
grep -q 'takes flags only' "$out/errors"

# Tools know it for what it is.
tools/plumb-dump "$out/train" | grep -q '^loop count: '
! tools/plumb-run "$out/train" 2>"$out/errors"
grep -q 'it is a program of its own (plumbc --emit=exe): start it as it is' "$out/errors"

unknown=$(ldd "$out/train" | grep -vE 'linux-vdso|libc\.so|libm\.so|ld-linux' || true)
[ -z "$unknown" ] || { echo "it needs: $unknown"; exit 1; }
