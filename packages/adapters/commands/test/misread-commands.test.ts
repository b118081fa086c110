import { describe, expect, it } from 'vitest';
import { mayRunZap } from './may-run.ts';

/** Commands that ran `zap` in a real Bash, dash or zsh, since the shell reads them differently than they look. */
const misread: Readonly<Record<string, readonly string[]>> = {
  'what looks like a comment in a calculation': [
    'echo $(( 1 #$(zap)\n))',
    '(( 1 #$(zap)\n))',
    '(\\\n(1 #$(zap)\n))',
    'echo $(\\\n(1 #$(zap)\n))',
    'echo $[1 #$(zap)\n]',
    'a[1 #$(zap)\n]=3',
    'a=([ 1 #$(zap)\n]=x)',
  ],
  'what looks like a comment behind a character that only looks like a blank': [
    'echo \u00a0# ; zap',
    'echo \r# ; zap',
    'echo \u0001# ; zap',
    'echo \v# ; zap',
    'echo \u200b# ; zap',
    "sh -c 'echo \u00a0# ; zap'",
  ],
  'what looks like a comment in a word': [
    'cat <(echo a)#b ; zap',
    'shopt -s extglob\necho @(a)#b ; zap',
    'a=(1)#b ; zap',
  ],
  'a comment that looks like a word': ["echo \\\n# don't\nzap\n# '", "(:)# don't\nzap\n# '"],
  'quotes that hide nothing in brackets': [
    "x=(1); : ${x['$(zap)']}",
    'x=(1); : ${x[\\$(zap)]}',
    "x=(1); : ${x[$'$(zap)']}",
    "x=abc; : ${x:'$(zap)'}",
    "x['$(zap)']=1",
  ],
  'quotes that do not quote': [
    'echo "$((1+\'))"\nzap\necho "\'))"',
    'echo "`echo \\"\'\\" ; zap ; echo \\"\'\\"`"',
    "bash <<E\necho \\\\'\nzap\n#'\nE",
  ],
  'a name that a variable holds': [
    "set -- 'a[$(zap)]'; echo ${!1}",
    "for x in 'a[$(zap)]'; do echo ${!x}; done",
    "for PS4 in '$(zap)'; do set -x; :; done",
    "set -- '$''(zap)'; PS4=$1; set -x; :",
  ],
  'a text with escapes': [
    "PS4=$'$(zap)'; set -x; :",
    "BASH_ENV=$'$(zap)' bash -c true",
    "export BASH_ENV=$'\\x24(zap)'; bash -c true",
    "a=$'x[\\44(zap)]'; echo $((a))",
    "set -- $'x[\\u0024(zap)]'; echo $(($1))",
    "PROMPT_COMMAND=$'za\\x70' bash --norc -i <<< ':'",
  ],
  'a definition by a variable': [
    "shopt -s expand_aliases; declare 'BASH_ALIASES[q]=zap'\nq",
    "shopt -s expand_aliases; read 'BASH_ALIASES[q]' <<< zap\nq",
    "printf -v 'BASH_CMDS[q]' /bin/zap; q",
    "typeset 'functions[q]=zap'; q",
    'functions=(q zap); q',
    'aliases=(q zap); eval q',
  ],
  'the history': ["set -o history -H; history -s 'zxap'\n^x^\n", 'set -o history -H\nhistory -s zap\n!!', 'fc -e zap'],
  'a line that continues': [
    'cat <<E\nx\nE\\\n\nzap\nE',
    'cat <<EOF\nx\nEO\\\nF\nzap\nEOF',
    'cat <<E\\\nF\n$(zap)\nEF',
    'cat <<E\n$\\\n(zap)\nE',
    "cat <<E\nfoo \\\nE\n'\nE\nzap\n'",
    'echo "$\\\n(zap)"',
    '2\\\n>x zap',
    'A\\\n=1 zap',
    '{fd\\\n}>x zap',
    ': $(ca\\\nse x in x) zap;; esac)',
  ],
  'a here-document that ends elsewhere': [
    'cat <<E\u00a0\nx\nE\u00a0\nzap\nE',
    'echo $(cat <<E)\nzap\nE\n)',
    'echo $((1<<E))\nzap\nE\n)',
    'echo $[1<<E]\nzap\nE]',
    'a[1<<2]=3\nzap\n2]=3',
  ],
  'a word with a character that only looks like a blank': ['>a\u00a0b zap', 'A=\u00a0b zap', '<<<}\r[[ zap'],
  'a line after an error': ['a=(a=(-c ${xargs \nzap\n${x#}zap\\\n; }', ': |&a=(; }2>&1\\\nzap\n'],
  'what only zsh has': [
    '>x -c zap',
    '-c (# # ; zap<<E\n # ',
    'a}\\\n zap',
    "setopt promptsubst; print -P '$(zap)'",
    "set -- '$(zap)'; print ${(e)1}",
    "for y in 'y[$(zap)]'; do integer x=$y; done",
    "x=(1); print $x['$(zap)']",
    '. =(echo zap)',
    'é=1 zap',
    '1=x zap',
    'a.b=1 zap',
  ],
  'a program that runs another': [
    'jobs -x zap x',
    'ssh-agent zap x',
    'xargs -a d/in zap',
    'xargs -a for zap x',
    'env -u select zap x',
    "env -S 'A=1\\_zap x'",
    'npm --prefix x --silent exec zap',
    'pnpm dlx zap',
    "find . -name 'z?p' -exec env {} +",
    "find . -name 'z?p' -exec nice {} \\;",
    "vi -c '!zap' -c q",
    'tar cf y y --checkpoint=1 --checkpoint-action=exec=zap',
    'split -n1 --filter=zap y',
    "sqlite3 :memory: '.shell zap'",
    "ed <<< '!zap'",
    'zap.exe x',
    '/bin/ZAP.EXE x',
  ],
};

/** Commands that are nothing but what they seem. */
const harmless: readonly string[] = [
  "ls # don't ask $(zap)\nls",
  'ls -la; # zap\nls',
  'echo "a" # it\'s\nls',
  'a[i+1]=2; b["a key"]=3; c[$i]=4; echo ${a[0]} ${#b[@]}',
  'echo "$((x * 2))"',
  'npm test &&\\\n  npm run build',
  'npm test \\\n  --watch \\\n  # last\n',
  'cat <<E\na \\\nb\nE\nls',
  "cat <<'E'\na\\\nE\nls",
  "echo $'a\\tb\\x41' ; printf $'\\n'",
  'NODE_OPTIONS=--max-old-space-size=4096 npm test',
  'git config --get remote.origin.url=x',
  "git log --format='%h %s' -n 5",
  'set -euo pipefail; ls',
  'docker compose run web ls',
  'echo "it costs \\$5"',
  'ls C#',
  "sed -n '1,5p' f # don't",
  'find . -name x -exec chmod 644 {} \\;',
  'source venv/bin/activate',
  'ls -la\r\nls\r\n',
  'files=(a b "c d"); ls "${files[@]}"',
  'echo ${x:-a b} ${y/a/b} ${#z}',
  'history | tail',
];

describe.each(Object.entries(misread))('What hides in %s', (_, commands) => {
  it.each(commands)('is found: %j', (command) => {
    expect(mayRunZap(command)).toBe(true);
  });
});

describe('A harmless command that resembles such a one', () => {
  it.each(harmless)('is not taken for one that runs another: %j', (command) => {
    expect(mayRunZap(command)).toBe(false);
  });
});
