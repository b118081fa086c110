import type { Chance } from '../../support/chance.ts';

/** Parts of commands as agents and people write them every day. */
const parts: readonly ((chance: Chance) => string)[] = [
  (chance) =>
    chance.oneOf([
      'ls -la',
      'pwd',
      'git status --short',
      'git log --oneline -5',
      'git diff --stat HEAD~1',
      'git branch -a',
    ]),
  (chance) =>
    `git add -A && git commit -m ${chance.oneOf(['"a b"', "'it works'", '"fix(x): $NAME"', `"$(cat <<'E'\nA title\n\nIt's (a) body.\nE\n)"`])}`,
  (chance) =>
    chance.oneOf([
      'npm test',
      'npm run build',
      'npm test -- --x=$Y',
      'npx tsc --noEmit',
      'pnpm vitest run src',
      'node x.js',
      'python3 script.py "$1"',
      'make -j4',
    ]),
  (chance) =>
    `grep -rn ${chance.oneOf(["'a.*b'", '"foo("', "'\\bx\\b'", '-E "a|b"'])} src ${chance.oneOf(['', '| head -20', '| wc -l', "| sed 's/:.*//' | sort -u"])}`,
  (chance) =>
    `find . -name ${chance.oneOf(["'*.ts'", '"*.md"'])} ${chance.oneOf(['', '-not -path "./node_modules/*"', '-type f | xargs wc -l', '-exec grep -l x {} \\;', '-mtime -1 -print0 | xargs -0 ls -l'])}`,
  (chance) =>
    `echo ${chance.oneOf(['"$HOME"', '"a: $A, b: ${B:-none}"', "'done'", '"exit: $?"', '"$(date) $(git rev-parse --short HEAD)"', '---'])}`,
  (chance) =>
    `for f in ${chance.oneOf(['*.ts', 'a b c', 'src/*/index.ts', '$(git ls-files)'])}; do ${chance.oneOf(['wc -l "$f"', 'echo "== $f"; head -5 "$f"', '[ -f "$f" ] && cat "$f"'])}; done`,
  (chance) =>
    `for i in ${chance.oneOf(['1 2 3', '{1..5}', '$(seq 1 5)'])}; do ${chance.oneOf(['curl -s "http://127.0.0.1:8000/$i"', 'sleep 1', 'echo $((i * 2))', 'node x.js "$i" && break'])}; done`,
  (chance) =>
    `while read -r line; do ${chance.oneOf(['echo "$line"', 'grep -q "$line" f || echo "missing $line"', 'n=$((n + 1))'])}; done < f`,
  (chance) =>
    `if ${chance.oneOf(['[ -f x ]', '[[ -d node_modules && -n "$CI" ]]', 'grep -q a f', '[ "$(git branch --show-current)" = main ]', '[ $? -ne 0 ]', '[ $(wc -l < f) -gt 3 ]', '! command -v jq > /dev/null', '[[ $x -eq 1 ]]'])}; then ls; else npm test; fi`,
  (chance) =>
    `cat > f.txt <<${chance.oneOf(["'EOF'", 'EOF'])}\nimport x from 'x';\nconst a = "b";\n${chance.oneOf(['', '# it is $5\n'])}EOF`,
  (chance) =>
    chance.oneOf([
      "sed -i 's/a/b/g' f.txt",
      "sed -n '10,20p' f.ts",
      "awk '{print $1}' f | sort | uniq -c",
      'jq ".a[0].b" x.json',
      "jq -r '.[] | .name' x.json",
      'head -c 100 f | xxd',
      "perl -pe 's/a/b/' f",
    ]),
  (chance) =>
    chance.oneOf([
      'export NODE_ENV=test',
      'NODE_OPTIONS=--max-old-space-size=4096 npm test',
      'X=$(date); echo "$X"',
      'VERSION=$(node -p "1"); echo "v$VERSION"',
      'cd src && ls',
      'mkdir -p a/b && touch a/b/c',
      'export PATH="$HOME/bin:$PATH"',
      'set -euo pipefail',
      'source venv/bin/activate',
    ]),
  (chance) =>
    chance.oneOf([
      'start=$(date +%s); npm test; echo "$(( $(date +%s) - start )) s"',
      'n=$(ls | wc -l); echo "$n files, $((n + 1))"',
      'total=0; for i in 1 2 3; do total=$((total + i)); done; echo $total',
      'i=0; while [ $i -lt 3 ]; do i=$((i+1)); echo $i; done',
      'n=$(grep -c x f); echo "$((n + 1))"',
      '[[ $(git ls-files | grep -c x) -gt 3 ]] && ls',
      'for f in *; do n=$((n + $(wc -l < "$f"))); done; echo $n',
      'v=$(node -p 1); echo $((v + 1))',
      'for ((i=0; i<3; i++)); do echo $i; done',
    ]),
  (chance) =>
    chance.oneOf([
      'npm test > out.txt 2>&1; tail -20 out.txt',
      'npm start & sleep 2; curl -s http://127.0.0.1:8000; kill %1',
      'npm run dev > log 2>&1 & echo $!',
      'timeout 60 npm test',
      'time npm test',
      'ps aux | grep node | grep -v grep',
      'lsof -i :8000 | tail -1',
      'du -sh * | sort -h',
    ]),
  (chance) =>
    chance.oneOf([
      'docker ps -a',
      'docker compose up -d',
      'curl -s -X POST -H "Authorization: Bearer $TOKEN" -d \'{"a":[1]}\' http://127.0.0.1:1/x',
      'gh pr list --limit 5',
      'tar czf x.tgz src',
      'unzip -o x.zip -d y',
      'chmod +x a.sh && bash a.sh',
      'diff <(sort a) <(sort b)',
      "node -e 'console.log(1 + 1)'",
      'python3 -c "print(1)"',
      "python3 - <<'E'\nprint(1)\nE",
    ]),
];

/** A command as an agent may run it, which no rule means. */
export function ordinaryCommand(chance: Chance): string {
  return chance.list(1, 3, () => chance.oneOf(parts)(chance)).join(chance.oneOf(['\n', '\n', '\n']));
}
