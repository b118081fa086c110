import { describe, expect, it } from 'vitest';
import { mayRunZap } from './may-run.ts';

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
  'a variable whose value a shell expands or runs': [
    'EDITOR=za; EDITOR+=p; export EDITOR; git config --global -e',
    'export EDITOR=za; EDITOR+=p git config --global -e',
    "GIT_CONFIG_PARAMETERS=\"'alias.q=!zap' 'a.b=c'\" git q",
    "export c='zap x'; make",
    "declare -x c=zap; perl -e 'system $ENV{c}'",
    "PERL5OPT='-M-strict;system(q(zap))' perl -e 1",
    "env PERL5DB='BEGIN{system(q(zap))}' perl -d -e 1",
    "gdb -batch -ex 'shell zap'",
    "PS4='$(zap)'; set -x; :",
    "BASH_ENV='$(zap)' bash -c true",
    "export BASH_ENV='$(zap)'; bash -c true",
    "declare -x BASH_ENV='`zap`'; bash -c true",
    "PROMPT_COMMAND=zap bash --norc -i <<< ':'",
    "PROMPT_COMMAND='$X' bash --norc -i <<< ':'",
    "PS1='$(zap)' bash --norc -i <<< ':'",
    "PAGER='zap x' git log",
    "GIT_SSH_COMMAND='zap x' git ls-remote ssh://h/x",
  ],
  'the brackets of a name that is evaluated': [
    "a='x[$(zap)]'; echo $((a))",
    "a='x[$(zap)]'; let a",
    "a='x[$(zap)]'; x=(1); echo ${x[a]}",
    "a='x[$(zap)]'; x=abc; echo ${x:a}",
    "a='x[$(zap)]'; x[a]=1",
    "x='$(zap)'; echo ${x@P}",
    "test -v 'x[$(zap)]'",
    "[[ 'x[$(zap)]' -eq 0 ]]",
    "printf -v 'x[$(zap)]' y",
    "read 'x[$(zap)]' <<< y",
    "declare 'x[$(zap)]=1'",
    "let 'x[$(zap)]=1'",
    "read a <<< 'x[$(zap)]'; echo $((a))",
    "echo 'x[`zap`]' | { read a; echo $((a)); }",
    "set -- 'x[$(zap)]'; echo $(($1))",
    "for a in 'x[$(zap)]'; do echo $((a)); done",
    "sleep 0 & wait -p 'a[$(zap)]' -n",
    "read x <<< 'y[$(zap)]'; ((x = x + 1))",
  ],
  'the delimiter of a here-document': [
    'cat <<$x\na\n$x\nzap\n\n',
    'cat <<`x`\na\n`x`\nzap\n\n',
    "cat <<$'E'\na\nE\nzap\n\n",
    'cat <<a$(b)c\na\na$(b)c\nzap\nac\n',
    'cat <<"a$(b)"\na\na$(b)\nzap\na\n',
  ],
  'a substitution of newer shells': ['echo ${ zap; }', 'echo "${ zap; }"', 'echo ${| zap; }', 'echo ${\tzap; }'],
  'what only zsh has': ['=zap x', 'noglob zap x', '- zap x', 'repeat 1 zap x', "emulate sh -c 'zap x'"],
  'a program that runs another': [
    '/lib64/ld-linux-x86-64.so.2 /bin/zap x',
    'uv run zap x',
    'npm exec -- zap x',
    'git bisect run zap x',
    "git submodule foreach 'zap x'",
    "git rebase -x 'zap x'",
    "git -c core.sshCommand='zap x' fetch",
    "tar -I 'zap x' -cf y.tar y",
    "tar cf y --checkpoint=1 --checkpoint-action=exec='zap x' y",
    "vim -es -c '!zap x' -c 'q!'",
    "gdb -batch -ex 'shell zap x'",
    "split --filter='zap x' y",
  ],
  'a compound command': [
    'if zap x; then :; fi',
    'if [[ 1 ]] { zap x }',
    'for x do zap x; done',
    'for x in a; { zap x; }',
    'while ! zap x; do :; done',
    '[[ 1 ]] && zap x',
    'echo $((1+1)) $(zap x)',
    '((1)) && zap x',
    'echo $((zap x); (y))',
    'echo $(((zap x)))',
  ],
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
  'quotes that do not quote': [
    ': "${x:-\'$(zap)\'}"',
    'echo "$\'" ; zap ; echo "\'"',
    "cat <<E\n${x:-'$(zap)'}\nE",
    'cat <<E\n$(bash -c "zap x")\nE',
    'cat <<E\n$(echo "a\'b"; zap; echo "\'")\nE',
  ],
  'a false end': [
    ': $(case x in x) zap;; esac)',
    ': "$(case x in x) zap;; esac)"',
    'cat <(if :; then case x in x) zap;; esac; fi)',
    '((x=1<<E))\nzap\nE',
  ],
  'words beside it': ['{fd}>/dev/null zap', 'shopt -s extglob\n/bin/!(x)', 'setarch x86_64 zap', 'choom -n 0 -- zap'],
};

/** Commands that are nothing but what they seem. */
const harmless: readonly string[] = [
  "git commit -m 'say `zap` and $(zap)'",
  "git commit -m 'zap the old one'",
  "git commit -F - <<'E'\nDrop `zap x`\nE",
  "printf '%s\\n' '`zap`'",
  'MSG="it\'s" npm test',
  "PS1='$ ' A='$HOME/x' npm test",
  'X=$(date); echo "$X"',
  '[ -f x ] && npm test',
  'if [ $(wc -l < f) -gt 3 ]; then npm test; fi',
  'if [[ $x -eq 1 ]]; then npm test; else ls; fi',
  'while read -r line; do echo "$line"; done < f',
  'for i in $LIST *.ts; do echo "$i" $((1 + 2)); done',
  'x=1; y=$((x*2)); ((y > 1)); echo "${arr[@]}"',
  'man zap',
  "tar -I 'zstd -19' -cf x.tar x",
  'npm run build',
  'python3 --version',
  'node -v',
  'python3 -m json.tool',
  'python3 -W ignore script.py',
  'node x.js',
  'bash script.sh',
  'bash -o pipefail script.sh',
  "alias ll='ls -l'",
  "export NODE_ENV=test TITLE='It is $x'; node -e 1; PATH+=:x node x.js",
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
];

/** Each ran `zap` in a real shell. The sandbox is the boundary for these, as the page on permissions states. */
const notSeen: Readonly<Record<string, readonly string[]>> = {
  'a program that runs others and is not known for it': ['run-parts bin', '/proc/self/exe -c zap'],
  'an option of a program': [
    'tar -I zap -cf x f',
    'git fetch --upload-pack zap .',
    'git grep -Ozap x',
    'split --filter zap f',
  ],
  'a language of a program': ["sed '1e zap' f", "make -f - <<< $'a:\\n\\tzap'"],
  'a file of a program': ["printf '[alias]\\nq=!zap' > .git/config; git q"],
  'code that runs what it reads': [
    "echo zap | awk '{ system($0) }'",
    'python3 -c \'import os; os.system("za" + "p")\'',
  ],
};

describe.each(Object.entries(hiding))('What hides in %s', (_, commands) => {
  it.each(commands)('is found: %j', (command) => {
    expect(mayRunZap(command)).toBe(true);
  });
});

describe('A harmless command', () => {
  it.each(harmless)('is not taken for one that runs another: %j', (command) => {
    expect(mayRunZap(command)).toBe(false);
  });
});

describe.each(Object.entries(notSeen))('What hides in %s', (_, commands) => {
  it.each(commands)('is not found: %j', (command) => {
    expect(mayRunZap(command)).toBe(false);
  });
});
