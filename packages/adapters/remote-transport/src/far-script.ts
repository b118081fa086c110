import type { ConfigFile, Launch, LaunchArgument } from '@hexagent/ports';
import { watchdogScript } from '@hexagent/processes';
import { basename } from 'node:path';
import { quote } from './quote.ts';

export interface FarStart {
  /** Begins each line that the script writes itself. Letters and digits. */
  readonly token: string;
  /** The id in the mark of the agent's processes. Letters and digits. */
  readonly id: string;
  /** The line after which the agent's input ends. */
  readonly lastLine: string;
  /** The CLI there, with the words before its arguments; `undefined` to search for it. */
  readonly cli: readonly string[] | undefined;
  /** Variables that the agent gets over those of the far side. */
  readonly env: Readonly<Record<string, string>>;
  readonly launch: Pick<Launch, 'args' | 'cwd' | 'ownFolder' | 'configFolder' | 'leftovers'>;
}

/** A file that is sent when the script asks for it. */
export interface FarFile {
  /** In the private folder. */
  readonly path: string;
  /** Read once. */
  readonly content: () => string;
}

/** The name of the private folder, in the folder for temporary files. */
export const folderName = (id: string): string => `hexagent-${id}`;

/** The script that the shell of the far side reads from its input, and the files that it asks for, in order. */
export function farScript(start: FarStart): { readonly script: string; readonly files: readonly FarFile[] } {
  const { token, id, lastLine, cli, env, launch } = start;
  const { cwd = '', ownFolder = '', configFolder, leftovers = 'end' } = launch;
  const files = filesOf(launch);
  const words = [...(cli ?? ['claude']).map(quote), ...launch.args.map(toWord)];
  const values = {
    token,
    id,
    folder_name: folderName(id),
    last_line: lastLine,
    leftovers,
    cwd,
    own: ownFolder === '' ? '' : `${ownFolder}${id}`,
    config: configFolder === undefined ? '' : '1',
    searches: cli === undefined ? '1' : '',
  };
  const script = [
    ...Object.entries(values).map(([name, value]) => `${name}=${quote(value)}`),
    `variables() {\n${Object.entries(env)
      .map(([name, value]) => `export ${name}=${quote(value)}\n`)
      .join('')}:\n}`,
    `receive_files() {\n${files.map(({ path }) => `receive ${quote(path)}\n`).join('')}:\n}`,
    `end_all() {\n(WATCHED=$(watched "$1")\n${watchdogScript}) </dev/null >/dev/null 2>&1\n}`,
    body,
    // The shell has read everything that was sent when it runs this line, and nothing more is sent before it answers.
    `run ${words.join(' ')}`,
  ].join('\n');
  return { script, files };
}

function filesOf({ args, configFolder }: FarStart['launch']): readonly FarFile[] {
  return [
    ...args.flatMap((arg, index) => (typeof arg === 'string' ? [] : toFiles(arg, index))),
    ...filesBelow('config', configFolder?.files ?? []),
  ];
}

type ArgumentFile = Exclude<LaunchArgument, string>;

function toFiles(argument: ArgumentFile, index: number): readonly FarFile[] {
  const path = nameOf(argument, index);
  if ('files' in argument) return filesBelow(path, argument.files);
  return [{ path, content: () => `${argument.content}\n` }]; // JSON, which may end in a line end
}

const filesBelow = (folder: string, files: readonly ConfigFile[]): readonly FarFile[] =>
  files.map(({ path, lines }) => ({
    path: `${folder}/${path}`,
    content: () => [...lines].map((line) => `${line}\n`).join(''),
  }));

const nameOf = ({ name }: ArgumentFile, index: number): string => `${index}-${basename(name)}`;

function toWord(argument: LaunchArgument, index: number): string {
  return typeof argument === 'string' ? quote(argument) : `"$folder"/${quote(nameOf(argument, index))}`;
}

/**
 * Runs the agent, and ends it and all that it started when the input of this shell ends, which happens when the near side
 * dies or is cut off. The agent then does not see the end of its own input: it would take that for an answer, and ask the
 * model again. The near side ends the agent's input with a last line, and keeps the connection.
 *
 *     input of this shell ─ tee ─ raw ─ tee ─ in ─ agent          output and errors of the agent are those of this shell
 *                                       └ grep, which waits for the last line
 *
 * Processes report to `watch` through the pipe `events`. It holds `in` open, so that the agent's input does not end with
 * the connection. At the last line the first `tee` is killed: the second may still write what was before it.
 */
const body = String.raw`
folder=${'${'}TMPDIR:-/tmp}/$folder_name
say() { printf '%s\n' "$token $*"; }
clean() { rm -rf -- "$folder" ${'${'}own:+"$own"}; }
refuse() {
  clean
  say "refused $1 $(printf '%s' "$2" | tr '\n' ' ')"
  exit 1
}

# Prints the path of a program, as the environment of the agent finds it.
find_program() {
  variables
  case $1 in
    /*) path=$1 ;;
    *) path=$(command -v "$1") ;;
  esac
  case $path in /*) [ -e "$path" ] && echo "$path" && return ;; esac
  [ -n "$searches" ] || return
  for path in "$HOME/.local/bin/claude" "$HOME/.claude/local/claude" "$HOME/.npm-global/bin/claude" "$HOME/.bun/bin/claude" \
    /opt/homebrew/bin/claude /usr/local/bin/claude /usr/bin/claude; do
    [ -x "$path" ] && echo "$path" && return
  done
}

# Asks for a file, and writes it into the private folder.
receive() {
  say send
  read -r bytes <&3 || refuse lost
  file=$folder/$1
  why=$({ mkdir -p -- "${'${'}file%/*}" && : >"$file" && { [ "$bytes" -eq 0 ] || head -c "$bytes" <&3 >"$file"; }; } 2>&1) ||
    refuse folder "$why"
  [ "$(wc -c <"$file")" -eq "$bytes" ] || refuse lost
}

# Into a config folder of this launch: the sign-in, the settings, and the person's instructions and skills. The token that
# renews the sign-in is valid once, for a new one that would be removed with the folder.
fill_config() {
  variables
  own_config=${'${'}CLAUDE_CONFIG_DIR:-$HOME/.claude}
  mkdir -p "$folder/config"
  cp "${'${'}CLAUDE_CONFIG_DIR:-$HOME}/.claude.json" "$folder/config/"
  for name in .config.json settings.json CLAUDE.md; do cp "$own_config/$name" "$folder/config/"; done
  [ ! -r "$own_config/.credentials.json" ] || tr -d '\n' <"$own_config/.credentials.json" |
    sed 's/"refreshToken" *: *"[^"]*" *, *//;s/, *"refreshToken" *: *"[^"]*"//' >"$folder/config/.credentials.json"
  for name in agents commands output-styles plugins rules skills; do
    [ ! -d "$own_config/$name" ] || ln -s "$own_config/$name" "$folder/config/"
  done
}

# What the script that ends processes is told of the agent.
watched() {
  echo "new $id $1 -"
  [ -z "$root" ] || echo "pid $id $root $began"
  [ -z "$shell" ] || echo "shell $id $shell"
  [ -z "$exited" ] || echo "freed $id"
}

# What a shell sets anew for each program, as it is in the environment of the agent.
read_shell() {
  shell="SHLVL=$(variable SHLVL),_=$(variable _ | sed 's/\\/\\\\/g')"
}
variable() { tr '\0\n' '\n ' <"/proc/$root/environ" | sed -n "s/^$1=//p"; }

has_leftovers() {
  for environment in /proc/[0-9]*/environ; do
    tr '\0' '\n' <"$environment" | grep -q "^HEXAGENT_AGENT=[0-9a-f:]*$id" && return
  done 2>/dev/null
  return 1
}

watch() {
  root= began= shell= exited= ended=
  # None of these holds "in" open but tee, which opens it itself: it then notices that nothing reads there any more.
  # Not cat, because that of BusyBox locks the pipe behind it while it waits for a socket.
  tee <&3 >"$folder/raw" 4>&- &
  reader=$!
  # Not sed, because that of BusyBox reads one line further.
  { tee "$folder/in" <"$folder/raw" | { LC_ALL=C grep -qxF -- "$last_line" && echo ended; }; echo cut; } >&5 4>&- &
  while read -r what number <&5; do
    case $what$ended in
      cut1) ;; # the first reader has ended, as it should
      pid*)
        root=$number
        read -r stat <"/proc/$root/stat" && set -- ${'${'}stat##*) } && began=${'${'}20}
        ;;
      ended*)
        ended=1
        [ "$leftovers" = end ] || read_shell
        kill "$reader"
        exec 4>&-
        tee <&3 >"$folder/rest" &
        reader=$!
        { cat <"$folder/rest" >/dev/null; echo gone; } >&5 &
        ;;
      exit*)
        exited=1
        mode=$leftovers
        # One that did not exit in order was killed or crashed in the middle of something.
        [ -n "$ended" ] && [ "$number" -le 1 ] || [ "$mode" = leave ] || mode=end
        case $mode in
          end) end_all end; break ;;
          leave) [ -n "$ended" ] && [ "$number" -le 1 ] || end_all leave; break ;;
        esac
        { end_all leave; while has_leftovers; do sleep 0.5 || sleep 1; done; echo quiet; } >&5 &
        ;;
      *)
        [ "$leftovers" = end ] || [ -n "$exited$shell" ] || read_shell
        if [ "$leftovers" = leave ]; then end_all leave; else end_all end; fi
        break
        ;;
    esac
  done
  kill "$reader"
}

run() {
  trap : HUP INT TERM PIPE
  exec 3<&0
  mask=$(umask)
  umask 077
  why=$({ mkdir "$folder" && mkfifo "$folder/raw" "$folder/in" "$folder/rest" "$folder/events"; } 2>&1) || refuse folder "$why"
  [ -z "$own" ] || { cwd=$own; why=$(mkdir -p -- "$own" 2>&1) || refuse folder "$why"; }
  [ -z "$cwd" ] || { why=$(CDPATH='' cd -- "$cwd" 2>&1) && CDPATH='' cd -- "$cwd" >/dev/null; } || refuse cwd "$why"
  program=$(find_program "$1")
  [ -n "$program" ] || refuse missing "$1"
  [ -x "$program" ] && [ ! -d "$program" ] || refuse unusable "$program"
  shift
  [ -z "$config" ] || (fill_config) 2>/dev/null
  receive_files
  setsid=$(command -v setsid)
  sh=$(command -v sh)
  # Opened for the agent before anything is written: what a pipe holds is lost when both of its ends are closed.
  exec 4<>"$folder/in" 5<>"$folder/events" 6<"$folder/in"
  (watch) >/dev/null 2>&1 6<&- &
  watcher=$!
  exec 4>&-
  say ready
  # In the foreground, because a shell lets what it puts into the background ignore SIGINT.
  (
    exec 3<&- 6<&-
    umask "$mask"
    variables
    [ -z "$config" ] || export CLAUDE_CONFIG_DIR="$folder/config"
    export HEXAGENT_AGENT="${'${'}HEXAGENT_AGENT:+$HEXAGENT_AGENT:}$id"
    exec $setsid "$sh" -c 'echo "pid $$" >&5; exec "$@" 5>&-' sh "$program" "$@"
  ) <&6
  code=$?
  exec 6<&-
  echo "exit $code" >&5
  wait "$watcher"
  clean
  exit "$code"
}
`;

/** A script for another shell there, which ends the agent that carries this id and all that it started. */
export function endScript(id: string): string {
  return `WATCHED='new ${id} end -'\n(${watchdogScript}) </dev/null >/dev/null 2>&1\nexit 0\n`;
}
