import { describe, expect, it } from 'vitest';
import { PermissionPolicy } from '../src/index.ts';

/** Commands that ran `zap` in a real Bash although `Bash(zap *)` was denied, by the place where it hides. */
const hiding: Readonly<Record<string, readonly string[]>> = {
  'one word for another shell': [
    'bash -c zap',
    'sh -ec zap',
    'sh -c -- zap',
    "bash -c 'za''p'",
    'bash -c "z\\ap"',
    'bash -euo pipefail -c zap',
    "eval 'z''ap'",
    'trap zap EXIT',
    'env -Szap',
    "env -S 'zap\\_x'",
    "env -S 'A=1 zap'",
    'script -qc"zap" /dev/null',
    'compgen -C zap',
    'mapfile -C zap -c 1 x <<< a',
    'bash-5.2 -c zap',
    'yash -c zap',
  ],
  'a variable that is evaluated': ["x='zap y'; eval $x", "x=zap bash -c 'eval $x'", "sh -c 'eval $0' zap", 'bash $X'],
  'the input of a shell whose options have values': [
    'bash -o posix <<< zap',
    'bash -O extglob <<< zap',
    'bash --rcfile /dev/null <<< zap',
    'curl -s http://127.0.0.1:9/x | bash -euo pipefail',
    'sh /dev/./stdin <<< zap',
    'sh /proc/thread-self/fd/0 <<< zap',
    'cd /dev; sh stdin <<< zap',
    'su <<< zap',
    'ssh h <<E\nzap\nE',
    'echo zap | ssh h',
    'echo zap | su root',
  ],
  'the input of an interpreter': [
    "echo 'import os;os.system(chr(122))' | python3",
    'curl -s http://127.0.0.1:9/x | python3 -',
    'curl -s http://127.0.0.1:9/x | python3 -W ignore',
    'curl -s http://127.0.0.1:9/x | node --no-warnings',
    'curl -s http://127.0.0.1:9/x | perl',
  ],
  'the input of xargs': [
    'echo zap | xargs sh -c',
    'echo zap | xargs -n 1 env A=1',
    'echo zap | xargs timeout 5',
    'echo zap | xargs -I% sh -c %',
    'echo zap | xargs -I{} sh -c "{} x"',
    "echo zap | xargs -I X bash -c 'X x'",
    'echo zap | xargs -I{} {}',
    'find bin -type f -exec {} \\;',
  ],
  'quotes that are none': [
    ': "${x:-\'$(zap)\'}"',
    'echo "$\'" ; zap ; echo "\'"',
    "cat <<E\n${x:-'$(zap)'}\nE",
    'cat <<E\n$(bash -c "zap x")\nE',
    'cat <<E\n$(echo "a\'b"; zap; echo "\'")\nE',
  ],
  'an end that is none': [
    ': $(case x in x) zap;; esac)',
    ': "$(case x in x) zap;; esac)"',
    'cat <(if :; then case x in x) zap;; esac; fi)',
    '((x=1<<E))\nzap\nE',
  ],
  'words beside it': ['{fd}>/dev/null zap', 'shopt -s extglob\n/bin/!(x)', 'setarch x86_64 zap', 'choom -n 0 -- zap'],
};

/** Commands that are nothing but what they seem. */
const harmless: readonly string[] = [
  'python3 --version',
  'node -v',
  'python3 -m json.tool',
  'python3 -W ignore script.py',
  'node x.js',
  'bash script.sh',
  'bash -o pipefail script.sh',
  "alias ll='ls -l'",
  'trap - EXIT',
  'ssh host ls',
  'env | grep zap',
  'find . -name x | xargs grep y',
  'find . | xargs -I{} cp {} x',
  'find . | xargs timeout 5 ls',
  'find . -name x -exec grep x {} \\;',
  'echo "it\'s $HOME"',
  'echo "${x:-a}"',
  'cat <<E\nit\'s "$HOME" $(git log)\nE',
  "git commit -m \"$(cat <<'E'\nit's a case (x)\nE\n)\"",
  'case x in a) ls;; esac',
  '((x=1+2)); echo $x',
  'grep case $(git ls-files case)',
];

const decide = (command: string): string =>
  new PermissionPolicy({ deny: ['Bash(zap *)'], mode: 'allow' }).decide({ tool: 'Bash', input: { command } }).decision;

describe.each(Object.entries(hiding))('What hides in %s', (_, commands) => {
  it.each(commands)('is found by a deny rule: %j', (command) => {
    expect(decide(command)).toBe('deny');
  });
});

describe('A harmless command', () => {
  it.each(harmless)('is denied by no rule for another: %j', (command) => {
    expect(decide(command)).toBe('allow');
  });
});
