/**
 * Reads `+ PID FOLDER` and `- PID` from its input. When that ends, whatever is still listed has lost the program it
 * worked for, and is ended with all that it started; their folders are removed. Less than a second passes.
 *
 * The agents are stopped at once, and go on no more. An agent that waits for a permission has just seen its input end,
 * takes that for a no and asks the model what next, some 20 ms later: SIGTERM comes too late for that, and SIGINT
 * sometimes does. What it has said is in its transcript before it is told, so nothing is lost by killing it. And while
 * it stands still its descendants can be listed, who would be found no more after it. They are asked to end first.
 */
export const watchdogScript: string = String.raw`
trap '' INT HUP QUIT
pids=
while read -r what pid folder; do
  case $what in
    +) pids="$pids $pid"; eval "folder_$pid=\$folder" ;;
    -) left=; for p in $pids; do [ "$p" = "$pid" ] || left="$left $p"; done; pids=$left; unset "folder_$pid" ;;
  esac
done
[ -n "$pids" ] || exit 0

groups() { for p in $pids; do kill "-$1" "-$p" || kill "-$1" "$p"; done; }
tell() { for p in $tree; do kill "-$1" "$p"; done; }
tree=$pids
add() {
  case " $tree " in
    *" $1 "*) return 1 ;;
    *) tree="$tree $1" ;;
  esac
}
look_at_children() {
  heads=$tree
  while [ -n "$heads" ]; do
    next=
    for p in $heads; do
      for list in /proc/$p/task/*/children; do
        kids=
        read -r kids <"$list"
        for kid in $kids; do add "$kid" && next="$next $kid"; done
      done
    done
    heads=$next
  done
}
look_at_all() {
  if [ -r /proc/self/stat ]; then
    pairs=$(cat /proc/[0-9]*/stat | sed -n 's/^\([0-9]*\) (.*) [^ZX] \([0-9]*\) .*/\1 \2/p')
  else
    pairs=$(ps -A -o pid=,ppid=)
  fi
  again=1
  while [ -n "$again" ]; do
    again=
    set -- $pairs
    while [ $# -gt 1 ]; do
      case " $tree " in *" $2 "*) add "$1" && again=1 ;; esac
      shift 2
    done
  done
}
look() { if [ -e "/proc/$$/task/$$/children" ]; then look_at_children; else look_at_all; fi; }
grant() {
  for tenth in $1; do
    for p in $tree none; do kill -0 "$p" && break; done
    [ "$p" = none ] && return
    sleep 0.1 || sleep 1
  done
}
groups STOP
look
groups KILL
for p in $pids; do
  eval "folder=\$folder_$p"
  [ -z "$folder" ] || rm -rf -- "$folder"
done
tell TERM
grant '1 2 3 4 5 6 7 8'
look
tell KILL
`;
