/**
 * Reads beats, one number each, and writes `late N` to its output 3, the input of a watchdog, when none came for $AFTER
 * seconds after the beat N, or when its input ends. So the watchdog's input ends no sooner than this shell does, which holds it open.
 *
 * A timer that expires while the next beat is on its way does no harm: the watchdog, to which beats are sent first, ignores
 * a `late` with another number than that of the last one. No clock is read: a relative `sleep` takes no notice of one that is set.
 *
 * Each beat replaces the timer. Each child is waited for: what PID 1 of a container may not do for them.
 */
export const heartbeatScript: string = String.raw`
trap '' INT HUP QUIT PIPE
timer=
while read -r next; do
  beat=$next
  [ -z "$timer" ] || { kill "$timer"; wait "$timer"; }
  (
    trap 'kill "$!"; wait; exit' TERM
    sleep "$AFTER" 3>&- &
    wait "$!" && echo "late $beat" >&3
  ) &
  timer=$!
done
[ -z "$timer" ] || kill "$timer"
echo "late $beat" >&3
wait
`;
