#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Keys and signatures of plumb-sign are those of OpenSSL, in both directions.
set -eu
sign=tools/plumb-sign
folder=$TEST_TMPDIR
file=$folder/net.plumb
cp test/golden/abi2_schema4.plumb "$file"

$sign keys "$folder/ours"
[ "$(stat -c %a "$folder/ours.key")" = 600 ]
cmp <(openssl pkey -in "$folder/ours.key" -pubout) "$folder/ours.pub"
$sign sign --key="$folder/ours.key" "$file"
openssl pkeyutl -verify -rawin -pubin -inkey "$folder/ours.pub" -in "$file" -sigfile "$file.sig"

openssl genpkey -algorithm ed25519 -out "$folder/theirs.key"
openssl pkey -in "$folder/theirs.key" -pubout -out "$folder/theirs.pub"
openssl pkeyutl -sign -rawin -inkey "$folder/theirs.key" -in "$file" -out "$file.sig"
$sign verify --key="$folder/theirs.pub" "$file"
cp "$file.sig" "$folder/theirs.sig"
$sign sign --key="$folder/theirs.key" "$file"
cmp "$file.sig" "$folder/theirs.sig"
