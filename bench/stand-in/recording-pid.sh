#!/bin/sh
# Writes its process id to a file, then executes the program of its arguments.
echo $$ >"$BENCH_PID_FILE"
exec "$BENCH_CLI" "$@"
