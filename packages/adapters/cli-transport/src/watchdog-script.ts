/**
 * Reads `+ PID FOLDER` and `- PID` from its input. When that ends, whatever is still listed has lost the program it
 * worked for, and is ended with all that it started; then the folders are removed. At most 1.2 s pass, and a little.
 *
 * The agents are stopped while their descendants are listed: one that ends first would leave children that nobody can
 * find. Then they are interrupted, not terminated: an agent that waits for a permission has just seen its input end,
 * takes that for a no and asks the model what next; SIGINT stops it before it does, SIGTERM comes too late.
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

groups() { for p in $pids; do kill "-$1" "-$p" || kill "-$1" "$p"; done; }
everyone() { groups "$1"; for p in $tree; do kill "-$1" "$p"; done; }
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
grant() {
  for tenth in $1; do
    for p in $tree none; do kill -0 "$p" && break; done
    [ "$p" = none ] && return
    sleep 0.1 || sleep 1
  done
}
groups STOP
look
groups INT
groups CONT
grant '1 2 3 4'
look
everyone TERM
grant '1 2 3 4 5 6 7 8'
look
everyone KILL
for p in $pids; do
  eval "folder=\\$folder_$p"
  [ -z "$folder" ] || rm -rf -- "$folder"
done
`;
