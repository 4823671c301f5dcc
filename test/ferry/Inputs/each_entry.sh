#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: each_entry.sh PROGRAM CHECKS TEMPORARY PLACED COUNTED
# For each entry of the program, with every array combinator outside of marked functions on the device: its placed form
# and what its run counts are checked by these prefixes, and its results are those of the host.
program=$1 checks=$2 temporary=$3 placed=$4 counted=$5
status=0
failed() {
  echo "entry $entry: $1" >&2
  status=1
}
for entry in $(sed -n 's/^entry \([a-z_]*\).*/\1/p' "$program"); do
  ferry emit "$program" -e "$entry" --stage placed --plan soacs-on-device --assume n=1000 >"$temporary.placed" 2>&1
  FileCheck "$checks" --check-prefix="$placed" --input-file="$temporary.placed" || failed 'placed'
  echo 1000i64 | ferry run "$program" -e "$entry" --plan soacs-on-device --explain >"$temporary.sim" 2>"$temporary.counts" || failed 'sim'
  FileCheck "$checks" --check-prefix="$counted" --input-file="$temporary.counts" || failed 'counted'
  echo 1000i64 | ferry run "$program" -e "$entry" --device host >"$temporary.host" || failed 'host'
  cmp -s "$temporary.host" "$temporary.sim" || failed 'results differ'
done
exit $status
