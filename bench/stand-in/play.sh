#!/bin/sh
# A CLI that plays a recording: answers `initialize`, takes one message, says what it was given, waits for the end.
# A shell starts in under a millisecond, where Node takes 30: what is measured must not drown in the stand-in's start.
IFS= read -r line || exit 0
id=${line#*\"request_id\":\"}
id=${id%%\"*}
printf '{"type":"control_response","response":{"subtype":"success","request_id":"%s","response":{"commands":[],"agents":[],"models":[],"output_style":"default","account":{}}}}\n' "$id"
IFS= read -r line || exit 0
if [ -n "$BENCH_SAYS" ]; then printf '%s\n' "$BENCH_SAYS"; else cat "$BENCH_SAYS_FILE"; fi
while IFS= read -r line; do :; done
exit 0
