#!/bin/sh
# Becomes the program it is told to, after writing down the process it will be.
echo $$ >"$BENCH_PID_FILE"
exec "$BENCH_CLI" "$@"
