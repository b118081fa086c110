/**
 * Reads `+ PID FOLDER` and `- PID` from its input. When that ends, whatever is still listed has lost its parent: it is
 * asked to end, given a moment, and then killed with all that it started; then the folders are removed.
 * Processes are collected as long as they live, since one that lost its parent can be found no more.
 */
export const watchdogScript: string = `
trap '' INT HUP QUIT
pids=
while read -r what pid folder; do
  case $what in
    +) pids="$pids $pid"; eval "folder_$pid=\\$folder" ;;
    -) left=; for p in $pids; do [ "$p" = "$pid" ] || left="$left $p"; done; pids=$left; unset "folder_$pid" ;;
  esac
done
[ -n "$pids" ] || exit 0

table() {
  if [ -r /proc/self/stat ]; then
    cat /proc/[0-9]*/stat | sed -n 's/^\\([0-9]*\\) (.*) [^ZX] \\([0-9]*\\) .*/\\1 \\2/p'
  else
    ps -A -o pid=,ppid=
  fi
}
tree=$pids
look() {
  pairs=$(table)
  again=1
  while [ -n "$again" ]; do
    again=
    set -- $pairs
    while [ $# -gt 1 ]; do
      case " $tree " in
        *" $1 "*) ;;
        *" $2 "*) tree="$tree $1"; again=1 ;;
      esac
      shift 2
    done
  done
}
living() {
  for p in $tree; do kill -0 "$p" && return 0; done
  return 1
}
look
for p in $pids; do kill -TERM "-$p" || kill -TERM "$p"; done
for round in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
  living || break
  sleep 0.1 || sleep 1
  look
done
for p in $pids; do kill -KILL "-$p"; done
for p in $tree; do kill -KILL "$p"; done
for p in $pids; do
  eval "folder=\\$folder_$p"
  [ -z "$folder" ] || rm -rf -- "$folder"
done
`;
