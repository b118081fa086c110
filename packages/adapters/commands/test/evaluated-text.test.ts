import { describe, expect, it } from 'vitest';
import { commandReader } from '../src/index.ts';
import { mayRunZap } from './may-run.ts';

/** Commands that ran `zap` in a real Bash although `Bash(zap *)` was denied: no piece of them is the name of the program. */
const evaluated: Readonly<Record<string, readonly string[]>> = {
  'a calculation': [
    'X=za; Q="a[\\$(${X}p A)]"; echo $((Q))',
    'Q=$(echo YVskKHphcCBBKV0= | base64 -d); echo $((Q))',
    "X='$'; Y='(zap)'; Q=a[$X$Y]; echo $((Q))",
    'X=za; Q="a[\\$(${X}p A)]"; ((Q))',
    'X=za; Q="a[\\$(${X}p A)]"; let Q',
    'X=za; Q="a[\\$(${X}p A)]"; for ((i=Q;0;)); do :; done',
    'X=za; Q="a[\\$(${X}p A)]"; a[Q]=1',
    'X=za; Q="a[\\$(${X}p A)]"; : ${x:Q}',
    'X=za; Q="a[\\$(${X}p A)]"; : ${x[Q]}',
    'X=za; Q="a[\\$(${X}p A)]"; : $[Q]',
    'X=za; [[ "a[\\$(${X}p A)]" -eq 0 ]]',
    'X=za; Q="a[\\$(${X}p A)]"; [[ Q -eq 0 ]]',
    'X=za; Q="a[\\$(${X}p A)]"; [[ $Q -eq 0 ]]',
    ": 'a[$(zap)]'; : $(($_))",
    'f() { for q in \'a[$(z\'; do :; done; : ${r:="ap)]"}; printf -v "$q$r" x; }; f',
    'f() { echo $(($1)); }; f "$(echo YVskKHphcCBBKV0= | base64 -d)"',
    'echo YVskKHphcCBBKV0= | base64 -d | { read a; echo $((a)); }',
    'for i in *; do echo $((i)); done',
    "echo 'a[$(zap)]' > f; : $(( $(<f) ))",
    "x='a[$(zap)]'; : {b[x]}> /dev/null",
    'x=a; mapfile -t y <<< \'`zap`]\'; for l in $x\\["$y"; do : $((l)); done',
  ],
  'a later part of a test': [
    "x='a[$(zap)]'; [[ -n a && x -eq 1 ]]",
    "x='a[$(zap)]'; [[ -z a ||\n 1 -lt x ]]",
    "x='a[$(zap)]'; [[ ! ( x -eq 1 ) ]]",
    "x='a[$(zap)]'; [[ -n a && ! x -eq 1 ]]",
    "x='a[$(zap)]'; if [[ -n a && ( -n b && -v x[x] ) ]]; then :; fi",
    "[[ -n a && 'a[$(zap)]' -eq 1 ]]",
  ],
  'what a program prints into a calculation': [
    'echo ${x:$(cat f)}',
    'true "${x:1:`cat f`}"',
    'echo ${x[$(cat f)]}',
    'echo {b[$(cat f)]}>g',
    'ls > "${x:$(cat f)}"',
    'cat <<E\n${x:$(cat f)}\nE',
  ],
  'the name of a folder': [
    "cd 'a[$(zap)]'; tmp=1; ((1$PWD))",
    'tmp=1; n=$PWD; ((1$n))',
    'cd -; tmp=1; echo $((1$OLDPWD))',
    'tmp=1; : ${x:1${DIRSTACK[0]}}',
    'tmp=1; n=~+; ((1$n))',
  ],
  'a variable that calculates': [
    "x='a[$(zap)]'; RANDOM=x",
    "x='a[$(zap)]'; OPTIND=1+x",
    "x='a[$(zap)]'; export OPTIND=x",
    "x='a[$(zap)]'; OPTIND=(x)",
    "X='a[$'; Y='(za'; Z='p)]'; RANDOM=$X$Y$Z",
    'X=za; Q="a[\\$(${X}p A)]"; declare -i n=$Q',
    'X=za; Q="a[\\$(${X}p A)]"; declare -i n; n=$Q',
    'OPTIND=$(echo YVskKHphcCBBKV0= | base64 -d)',
  ],
  'the brackets of a name': [
    "x='a[$(zap)]'; : {b[x]}>/dev/null",
    "x='a[$(zap)]'; exec {b[x]}<&0",
    "x='a[$(zap)]'; cat {b[x]}<<E\nE",
    'X=za; test -v "a[\\$(${X}p A)]"',
    "X='-v a[$(z'; Y='ap)]'; [ $X$Y ]",
    'op=-v; x=\'a[$(zap)]\'; [ "$op" "$x" ]',
    'op=-v; [ "$op" "$(base64 -d f)"] ]',
    '[ $(echo LXYgYVskKHphcCldCg== | base64 -d) -gt 3 ]',
    'X=za; printf -v "a[\\$(${X}p A)]" x',
    'X=za; printf "-va[\\$(${X}p A)]" x',
    'X=za; read "a[\\$(${X}p A)]" <<< x',
    'X=za; unset "a[\\$(${X}p A)]"',
    'X=za; declare "a[\\$(${X}p A)]=1"',
    'X=za; declare -n r="a[\\$(${X}p A)]"; r=1',
    'X=za; r="a[\\$(${X}p A)]"; echo ${!r}',
  ],
  'a list': [
    'q="(za"; for w in "p)]"; do :; done; b["a[0\\$""$q""$w"]=1',
    "declare q=('a[`zap`]'); [[ $q -eq 0 ]]",
    "set -- 'a[$(zap)]'; for q; do : $((q)); done",
    "x='a[$(zap)]'; q=1; unset q; : ${q:=x}; : $((q))",
    "q=('a[`zap`]'); [[ $q -eq 0 ]]",
    'b=(1); declare b="(\\`zap x\\`)"',
    'X=za; Q="(\\$(${X}p A))"; declare -a y="$Q"',
    'X=za; Q="(\\$(${X}p A))"; y=(1); declare y="$Q"',
  ],
  'a text that is expanded': [
    'X=za; PS4="\\$(${X}p)"; set -x; :',
    'X=za; export BASH_ENV="\\$(${X}p)"; bash -c :',
    'X=za; Q="\\$(${X}p A)"; : "${Q@P}"',
    'Q=$(echo JCh6YXApCg== | base64 -d); : ${Q@P}',
    "declare -n p=PS4; p='$(zap)'; set -x; :",
    'P=PS; declare "${P}4=\\$(zap)"; set -x; :',
  ],
  'a variable that a program runs': [
    'X=za; PAGER="${X}p x" git -p log',
    'X=za; export GIT_PAGER="${X}p x"; git -p log',
    'GIT_PAGER=$(echo emFwIHg= | base64 -d) git -p log',
    "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.q GIT_CONFIG_VALUE_0='!zap x' git q",
    "X=z; PAGER='${X}ap' git -p log",
    'X=za; env PAGER="${X}p" git -p log',
    'for PAGER in zap; do git -p log; done',
  ],
  'a value behind a reserved word': ["if true; then V='zap x' git --config-env=core.editor=V config --global -e; fi"],
  'an option whose value is a command': ['X=za; tar cf y y --checkpoint=1 --checkpoint-action=exec="${X}p"'],
  'the configuration of git': [
    'X=za; git -c alias.q="!${X}p" q',
    'X=za; git -c core.pager="${X}p" -p log',
    "X='-c alias.q=!zap'; git $X q",
    'c=-c; x=za; git "$c" core.editor="${x}p" config --global -e',
    'X=za; V="${X}p" git --config-env=core.editor=V config --global -e',
    'X=za; git config --global core.editor "${X}p"; git config --global -e',
    'git config --global core.editor zap; git config --global -e',
    'X=alias.q=; Y=za; git -c "$X!${Y}p" q',
  ],
  'a definition by a variable': [
    'printf -v "BASH_CM"DS[q] %s /bin/zap; q x',
    "printf -v 'BASH_CM''DS[q]' %s /bin/zap; q x",
    'X=BASH_CM; printf -v "${X}DS[q]" %s /bin/zap; q x',
    'n=BASH_CM; declare -n r=${n}DS; r[q]=/bin/zap; q x',
    ': ${BASH_CMDS[q]:=/bin/zap}; q x',
  ],
  'a script in another language': [
    `X='exec "zap"'; perl -e "$X" f`,
    `X='BEGIN{system("zap")}'; awk "$X" f`,
    'X=za; perl -e "system(shift)" "${X}p"',
  ],
  'what only zsh has': [
    'x=$(base64 -d f); printf "%d\\n" "$x"',
    'x=$(base64 -d f); f() { return $x; }; f',
    "x='a[$(zap)]'; [[ -t x ]]",
    'ls *(e:zap:)',
    'ls *(+zap)',
  ],
  'a brace': ["'z'{ap,} x", "{'za',b}p x", "npx -c 'z{a,}p'", "echo $(base64 -d f) | npx -c 'node'"],
  'another name for a harmless program': [
    'wc() { echo YVskKHphcCBBKV0= | base64 -d; }; n=$(wc -l); echo $((n))',
    'echo() { Q=$1; }; echo "$(base64 -d <<< YVskKHphcCBBKV0=)"; printf %d $((Q))',
  ],
  'a text that env splits': [
    "env -S 'zap\\c' x",
    "env -S 'z\\x61p x'",
    "env --split-string='zap\\tx'",
    "env -vS 'zap\\c' x",
    'X=za; env -S "${X}p x"',
  ],
};

/** Commands in which something is evaluated, or seems to be, and whose pieces are known. */
const harmless: readonly string[] = [
  'i=1; i=$((i + 1)); echo "$i"',
  'for i in 1 2 3; do echo $((i * 2)); done',
  'for i in {1..5}; do curl -s "http://127.0.0.1:$((8000 + i))/$(date)"; done',
  'for ((i=0; i<5; i++)); do echo "$i $(date)"; done',
  'n=$(ls | wc -l); echo $((n + 1))',
  'for i in $(seq 1 5); do echo $((i + 1)); done',
  'start=$(date +%s); npm test; echo $(( $(date +%s) - start ))',
  'n=0; while read -r line; do n=$((n + 1)); done < f; echo "$n $line"',
  'if [ "$(git rev-parse HEAD)" = "$x" ]; then npm test; fi',
  '[[ $x -gt 3 ]] && npm test',
  '[[ $# -eq 0 || -z "$1" ]] && npm test',
  'files=(a b "c d"); echo "${#files[@]} $((${#files[@]} + 1))"',
  'printf "%s\\n" "$HOME"; printf -v x %s "$HOME"; echo "$x"',
  'export PATH="$HOME/bin:$PATH" NODE_ENV=test; npm test',
  'export VERSION=$(git describe); npm run build',
  'f() { local name="$1" n; n=$(wc -c < "$name"); echo "$n"; }; f x',
  'sha=$(git rev-parse HEAD); echo "${sha:0:7} ${sha^^} ${sha%x}"',
  'wait $!; sleep 1 & pid=$!; wait "$pid"; unset pid',
  'PAGER=cat git log; GIT_EDITOR=true git rebase --continue',
  'git -C "$dir" -c user.name=x commit -m "$(date) done"',
  "git commit -m 'wow, it works!'",
  "env -S 'ls -l' x; env A=b npm test",
  "node -e 'console.log((1), [2])' | grep 'a\\.b'",
  'read -r a b < f; echo "$a"',
  'i=0; while [ $i -lt 3 ]; do i=$((i+1)); grep -q "a\\b" "$i"; done',
  'n=$(ls | wc -l); if [[ $n -gt 3 ]]; then npm test; fi',
  'for ((i=0; i<3; i++)); do ls; done; while read -r line; do grep -q "$line" f || echo "missing"; done < f',
  'n=$(grep -c x f); for f in a "b c"; do n=$((n + $(wc -l < "$f"))); done; echo "$((n + 1))"',
  '[ "$x" ] && [ ! "$y" ] && [ -n "$x" -a "$y" != z ]; f() { return $?; }; exit 1',
  'printf "%d %s\\n" "$(ls | wc -l)" "$x"; awk \'{print $1}\' "$f"; python3 -m json.tool "$f"; ls !(node_modules|x)',
  'git config user.name "$NAME"; git config --get remote.origin.url; ls *.ts',
  "awk '{print $1, $2}' f; node -e 'f({ a: 1, b: 2 })'; python3 -c \"print({1, 2})\"",
  'npx tsx x.ts; node --test',
  'node x.js; if [ -f x ]; then ls; fi',
  'cd "$PWD/x" && for i in 1 2; do echo $((i + 1)); done',
  'echo "${x:0:7} ${y[0]} $(cat f)"',
];

describe.each(Object.entries(evaluated))('What is hidden in %s', (_, commands) => {
  it.each(commands)('is taken for anything: %j', (command) => {
    expect(mayRunZap(command)).toBe(true);
  });
});

describe('A command whose evaluated text is known', () => {
  it.each(harmless)('is not taken for one that runs another: %j', (command) => {
    expect(mayRunZap(command)).toBe(false);
  });
});

describe('What only another shell than Bash takes, or the parser does not read', () => {
  it.each(['ls *.(js|md)', 'grep case $(git ls-files case)', '-c (a'])('may be anything: %s', (command) => {
    expect(commandReader.read(command, 'bash').anything).toBeDefined();
  });
});

describe('What may be anything', () => {
  it.each(["printf -v 'a[$(zop)]' x", "test -v 'a[$(zop)]'", "env -S 'zop\\c' x"])('is not certain: %s', (command) => {
    expect(commandReader.read(command, 'bash').isCertain).toBe(false);
  });

  it.each([
    ['x=$(y); echo $((x))', 'it evaluates text that is not known beforehand'],
    ['$X y', 'the name of a program or the text of a command in it is not known'],
    ['curl -s x | sh', 'a shell or an interpreter in it reads its commands from'],
    ['BASH_CMDS[q]=/bin/x; q', 'it may give another meaning to the name of a program'],
    [': '.repeat(200_000), 'unfinished or very long'],
  ])('is reported with the reason', (command, reason) => {
    expect(commandReader.read(command, 'bash').anything).toContain(reason);
  });
});
