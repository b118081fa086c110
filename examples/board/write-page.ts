/* Writes docs/board.md. With `--check` it only compares. */
import { readFileSync, writeFileSync } from 'node:fs';
import { tasks } from './tasks.ts';

const page = new URL('../../docs/board.md', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

/** The lines of a program without imports, comments and blank ones. */
function linesOf(program: string): readonly string[] {
  const code = program.replaceAll(/^import [^;]*;\n/gmu, '').split('\n');
  return code.filter((line) => line.trim() !== '' && !line.trim().startsWith('//'));
}

/** The names that it imports from ours. */
function namesOf(program: string): readonly string[] {
  const lists = [...program.matchAll(/^import \{(?<list>[^}]*)\} from '@hexagent\//gmu)];
  return lists.flatMap(({ groups }) => (groups?.['list'] ?? '').split(',').map((name) => name.trim()));
}

const rows = Object.entries(tasks).map(([name, { title }]) => {
  const [ours, official] = [read(`./${name}.ts`), read(`./official/${name}.ts`)];
  return { name, title, program: ours, counts: [linesOf(ours).length, linesOf(official).length] as const };
});
const sums = [0, 1].map((index) => rows.reduce((sum, { counts }) => sum + (counts[index] ?? 0), 0));
const medians = [0, 1].map((index) => rows.map(({ counts }) => counts[index] ?? 0).toSorted((a, b) => a - b));
const medianOf = (sorted: readonly number[]): number =>
  ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
const names = [...new Set(rows.flatMap(({ program }) => namesOf(program)))].toSorted();
const cell = (index: number): string => `${sums[index]}`;

const text = `# Twelve tasks

What a program takes for the tasks that people begin with, beside the official package. You will see how much is to write, and find a program to begin with.

Each is a complete program in [\`examples/board\`](../examples/board), with its counterpart in [\`official\`](../examples/board/official). Both are type-checked and run in
CI with the real CLI. Counted are lines without imports, comments and blank ones, formatted alike; \`examples/board/write-page.ts\` writes this page.

| task | Hexagent | the official package |
|---|---|---|
${rows.map(({ name, title, counts: [ours, official] }) => `| [${title}](../examples/board/${name}.ts) | ${ours} | [${official}](../examples/board/official/${name}.ts) |`).join('\n')}
| **sum** | ${cell(0)} | ${cell(1)} |
| **median** | ${medianOf(medians[0] ?? [])} | ${medianOf(medians[1] ?? [])} |

The names that ours import: ${names.map((name) => `\`${name}\``).join(', ')}.

What the counts do not show:

- **A failed turn.** \`text()\` and \`output()\` reject with what happened. A program that reads messages has to look at two fields of the result.
- **The web chat** of ours also has approvals, history, reloads and limits, and continues after a restart. Its counterpart has none of them.
- **Many sessions.** Ours load no settings files and get an allow list of the environment without being told. The counterpart says so in its options.
- **Where a shorter program is harder to read**, the longer one stands here, as in the approval on the terminal.

## The programs

${rows.map(({ title, program }) => `### ${title}\n\n\`\`\`ts\n${program.trim()}\n\`\`\``).join('\n\n')}
`;

const inReadme = `| ${sums[0]} | ${sums[1]} |`;
if (!read('../../README.md').includes(inReadme)) {
  console.error(`The README does not have the sums of the board: ${inReadme}`);
  process.exitCode = 1;
}
if (process.argv.includes('--check')) {
  if (readFileSync(page, 'utf8') !== text) {
    console.error('docs/board.md is not what examples/board has. Run: pnpm --filter @hexagent/example-board run page');
    process.exitCode = 1;
  }
} else writeFileSync(page, text);
