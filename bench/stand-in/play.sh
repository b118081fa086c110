#!/bin/sh
# A CLI that plays a recording: answers `initialize`, reads one message, writes a file, waits for the end of its input.
# A shell starts in under a millisecond, Node takes 30, which would hide the measurement.
IFS= read -r line || exit 0
id=${line#*\"request_id\":\"}
id=${id%%\"*}
printf '{"type":"control_response","response":{"subtype":"success","request_id":"%s","response":{"commands":[],"agents":[],"models":[],"output_style":"default","account":{}}}}\n' "$id"
IFS= read -r line || exit 0
if [ -n "$BENCH_OUTPUT" ]; then printf '%s\n' "$BENCH_OUTPUT"; else cat "$BENCH_OUTPUT_FILE"; fi
while IFS= read -r line; do :; done
exit 0
