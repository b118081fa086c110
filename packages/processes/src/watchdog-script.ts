// Before a digit, terser refuses a backslash in any template, and with it each program that webpack makes smaller.
const backslash = '\\';

/**
 * Reads from the variable WATCHED, then from its input, one line each:
 *
 *     new ID end|leave FOLDER   a program that carries this id will be started, with private files in this folder or `-`
 *     pid ID PID [BEGAN]        it runs, in a group of its own; when it began, as in its line in /proc
 *     shell ID TEXT             what the environments of its own children have in common
 *     freed ID                  it has ended, and its number may be another's; what it left behind may still run
 *     gone ID                   nothing is left of it
 *     beat N                    this process runs; only with a heartbeat
 *     late N                    no beat came since the beat N, for too long
 *
 * When the input ends, the program has ended; at the `late` of the last beat it is frozen, or was. Then what is still listed is ended with all that it started;
 * its folder is removed. That takes less than a second for what ends at SIGTERM, and two for what does not.
 *
 * The programs are stopped at once, and continue no more. A program that waits for a permission has just seen its input end,
 * takes that for a no and asks the model what next, some 20 ms later: SIGTERM comes too late for that, and SIGINT
 * sometimes does. It writes each message to its transcript before it reports it, so killing it loses nothing. While it is
 * stopped its descendants can be listed, which cannot be found after its exit. They receive SIGTERM first.
 *
 * What is not a descendant any more is found by the id in its environment: all of it, or with `leave` only what a program that
 * had died before was running, which has a living shell above it that the program itself started.
 *
 * A number is signalled only while its process is the one that was listed: it may end, and its number be given to another
 * one, at any moment. Where there is no /proc, this is not checked.
 */
export const watchdogScript: string = String.raw`
trap '' INT HUP QUIT
ids= gone=0 beat=
# Takes what is gone out of the list: seldom, since among a thousand it takes milliseconds.
list_again() {
  gone=0 kept=
  for i in $ids; do eval "[ -z \"\$mode_$i\" ]" || kept="$kept $i"; done
  ids=$kept
}
take() {
  case $what in
    new) ids="$ids $id"; eval "mode_$id=\${rest%% *} folder_$id=\${rest#* } pid_$id= shell_$id=" ;;
    pid) set -- $rest; eval "pid_$id=\$1 since_$1=\$2" ;;
    shell) eval "shell_$id=\$rest" ;;
    freed) eval "pid_$id=0" ;;
    beat) beat=$id ;;
    gone)
      unset "mode_$id" "folder_$id" "pid_$id" "shell_$id"
      gone=$((gone + 1))
      [ $gone -lt 100 ] || list_again ;;
  esac
}
while read -r what id rest; do take; done <<END
$WATCHED
END
unset WATCHED
while read -r what id rest && [ "$what $id" != "late $beat" ]; do take; done
list_again
[ -n "$ids" ] || exit 0

lives() {
  kill -0 "$1" || return 1
  [ -r "/proc/$1/stat" ] || return 0
  read -r stat <"/proc/$1/stat"
  case ${'${'}stat##*) } in [ZX]*) return 1 ;; esac
}
# Sets began to when the process began; empty where it has ended, or that cannot be read.
read_began() {
  began=
  read -r stat <"/proc/$1/stat" || return 0
  set -- ${'${'}stat##*) }
  began=${'${'}20}
}
is_same() {
  eval "since=\$since_$1"
  [ -n "$since" ] || return 0
  read_began "$1"
  [ -z "$began" ] || [ "$began" = "$since" ]
}
pids= whole= pending=
for id in $ids; do
  eval "mode=\$mode_$id pid=\$pid_$id"
  [ -z "$pid" ] || is_same "$pid" || eval "pid=0 pid_$id=0"
  [ "$pid" = 0 ] || pids="$pids $pid"
  [ -n "$pid" ] || pending=1
  # One that was just being started has finished no tool.
  if [ "$mode" = end ] || [ -z "$pid" ]; then whole="$whole $id"; fi
done

signal_groups() { for p in $pids; do is_same "$p" && { kill "-$1" "-$p" || kill "-$1" "$p"; }; done; }
signal_tree() { for p in $tree; do is_same "$p" && kill "-$1" "$p"; done; }
tree=$pids
add() {
  case " $tree " in
    *" $1 "*) is_same "$1" && return 1 ;;
    *) tree="$tree $1" ;;
  esac
  read_began "$1"
  eval "since_$1=\$began"
}
scan_children() {
  heads=$tree
  while [ -n "$heads" ]; do
    next=
    for p in $heads; do
      is_same "$p" || continue
      for list in /proc/$p/task/*/children; do
        kids=
        read -r kids <"$list"
        for kid in $kids; do add "$kid" && next="$next $kid"; done
      done
    done
    heads=$next
  done
}
scan_all() {
  if [ -r /proc/self/stat ]; then
    pairs=$(cat /proc/[0-9]*/stat | sed -n 's/^\([0-9]*\) (.*) [^ZX] \([0-9]*\) .*/${backslash}1 ${backslash}2/p')
  else
    pairs=$(ps -A -o pid=,ppid=)
  fi
  again=1
  while [ -n "$again" ]; do
    again=
    set -- $pairs
    while [ $# -gt 1 ]; do
      case " $tree " in *" $2 "*) is_same "$2" && add "$1" && again=1 ;; esac
      shift 2
    done
  done
}
scan() { if [ -e "/proc/$$/task/$$/children" ]; then scan_children; else scan_all; fi; }
environment() { tr '${backslash}0\n' '\n ' <"/proc/$1/environ"; }
# Does $1 with each process that carries one of the other ids, as soon as its environment was read.
with_carriers() {
  act=$1
  shift
  if ! [ -r /proc/self/environ ]; then
    ps -A -E -ww -o pid=,command= | while read -r p line; do
      for i in "$@"; do case $line in *HEXAGENT_AGENT=*"$i"*) $act "$p" ;; esac; done
    done
  elif [ "$(printf 'a${backslash}0bc' | grep -c 'b[:]*c')" = 1 ]; then
    for i in "$@"; do set -- "$@" -e "HEXAGENT_AGENT=[0-9a-f:]*$i"; shift; done
    printf '%s\n' /proc/[0-9]*/environ | xargs grep -ls "$@" | while read -r p; do
      p=${'${'}p#/proc/}
      $act "${'${'}p%/environ}"
    done
  else
    for p in /proc/[0-9]*; do
      p=${'${'}p#/proc/}
      line=$(environment "$p")
      for i in "$@"; do case $line in *HEXAGENT_AGENT=*"$i"*) $act "$p" ;; esac; done
    done
  fi
}
carriers() { with_carriers echo "$@"; }
end_carrier() { kill -KILL "$1"; echo "$1"; }
shell_of() {
  line=$(environment "$1")
  echo "SHLVL=$(echo "$line" | sed -n 's/^SHLVL=//p'),_=$(echo "$line" | sed -n 's/^_=//p')"
}
add_cut_off() {
  eval "pid=\$pid_$1 shell=\$shell_$1"
  ours=$(carriers "$1")
  for p in $ours; do
    read -r stat <"/proc/$p/stat" || continue
    set -- ${'${'}stat##*) }
    if [ "$4" != "$pid" ] && [ -n "$shell" ]; then
      case " $(echo $ours) " in *" $4 "*) ;; *) continue ;; esac
      [ "$(shell_of "$4")" = "$(printf %b "$shell")" ] || continue
    fi
    add "$p"
  done
}
scan_marks() {
  [ -z "$whole" ] || for p in $(carriers $whole); do add "$p"; done
  for i in $parts; do add_cut_off "$i"; done
}
await_end() {
  for tenth in $1; do
    waits=
    for p in $tree; do is_same "$p" && lives "$p" && waits=1 && break; done
    [ -n "$waits" ] || return
    sleep 0.1 || sleep 1
  done
}
signal_groups STOP
scan
# Once it is stopped: a program that exits in this moment has lost its descendants before they were listed.
parts=
for id in $ids; do
  case " $whole " in *" $id "*) continue ;; esac
  eval "pid=\$pid_$id"
  [ "$pid" != 0 ] && lives "$pid" || parts="$parts $id"
done
signal_groups KILL
for id in $ids; do
  eval "folder=\$folder_$id"
  case $folder in /*) rm -rf -- "$(printf %b "$folder")" ;; esac
done
signal_tree TERM
before=$tree
scan_marks
scan
for p in $tree; do case " $before " in *" $p "*) ;; *) kill -TERM "$p" ;; esac; done
[ -z "$pending" ] || sleep 0.3 || sleep 1
await_end '1 2 3 4 5 6 7 8'
# Of a process that starts itself anew all the time, the newest is killed right after it was read. One round that finds
# nothing new proves nothing: what starts another program has no environment for a moment.
rounds=x quiet=
while [ "$rounds" != xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx ] && [ "$quiet" != xx ]; do
  rounds=x$rounds
  before=$tree
  [ -z "$whole" ] || for p in $(with_carriers end_carrier $whole); do add "$p"; done
  for i in $parts; do add_cut_off "$i"; done
  scan
  signal_tree KILL
  if [ "$before" = "$tree" ]; then quiet=x$quiet; else quiet=; fi
done
`;
