import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { versionsPage } from '../../e2e/canary/versions-page.ts';
import { readVersions } from '../../e2e/canary/versions.ts';
import { wantedDifferences } from '../../e2e/differential/wanted-differences.ts';
import { remedies } from '../../packages/ports/src/errors.ts';
import { warningMeanings } from '../../packages/ports/src/warnings.ts';
import { readJson, root } from '../workspace.mjs';

const read = (page: string): string => readFileSync(path.join(root, 'docs', page), 'utf8');

it('The page of errors has for every code what happened and what to do, and no other code', () => {
  const text = read('errors.md');
  const codes = [...text.matchAll(/^### (\w+)\n\n(?!Remedy)[^\n]+\n\nRemedy: (.*)$/gm)];
  expect(Object.fromEntries(codes.map(([, code = '', remedy]) => [code, remedy]))).toEqual(remedies);
  const warnings = [...text.matchAll(/^\| `((?:HEXAGENT|CLAUDE_SDK)_\w+)` \| (.*) \|$/gm)];
  expect(Object.fromEntries(warnings.map(([, code = '', meaning]) => [code, meaning]))).toEqual(warningMeanings);
});

const head = `<!-- Written by scripts/test/made-pages.test.ts from e2e/differential/wanted-differences.ts: change that, then run the test with \`-u\`. -->

# Values of options that reach the agent otherwise

Each option of \`query()\` is compared with the official package, with a dozen values of every kind and some of its own: the command line,
the environment and what is written to the agent have to be the same. Where they are not, the value is in this list. A difference that
is not listed fails a test, and so does one that is listed and does not happen.

Three rules are not listed. A value of another type than the option's is a \`TypeError\` that names the option. What is empty is left out.
Keys that an option does not have are left alone.

What else is different: [the page of differences](differences.md).

| option | values | why it is different here |
|---|---|---|
`;

/** A value as it stands in a cell of a table. */
const cell = (value: string): string => `\`${value.replaceAll('|', String.raw`\|`)}\``;

it('The page of values has each wanted difference, with its reason', async () => {
  const rows = Object.entries(wantedDifferences).flatMap(([option, differences]) =>
    differences.map(({ why, values }) => `| \`${option}\` | ${values.map(cell).join(', ')} | ${why} |\n`),
  );
  await expect(head + rows.join('')).toMatchFileSnapshot(path.join(root, 'docs/values-of-options.md'));
});

const summary = `# Hexagent

> A TypeScript SDK that drives the Claude Code CLI from a program. To write programs: [SKILL.md](packages/sdk/SKILL.md).
`;

it('llms.txt lists each page of the index with its line; written with `-u`', async () => {
  const lines = [...read('README.md').matchAll(/^(## .*)$|^\| \[(.+?)\]\(([^)]+)\) \| (.+) \|$/gm)].map(
    ([, heading, title, link, line]) => (heading ? `\n${heading}\n` : `- [${title}](docs/${link}): ${line}`),
  );
  const [listed = ''] = lines.join('\n').split('\n\n## Why');
  await expect(`${summary}${listed}\n`).toMatchFileSnapshot(path.join(root, 'llms.txt'));
});

describe('The page of versions', () => {
  it('is what `pnpm canary --versions` wrote', () => {
    expect(read('versions.md')).toBe(versionsPage(readVersions()));
  });

  it('has six versions, the one that is tested with first, with which everything works', () => {
    const [first, ...others] = readVersions();
    const { optionalDependencies } = readJson(path.join(root, 'packages/claude-agent-sdk/package.json'));
    const pinned = String(Object.values(optionalDependencies)[0]).replace('0.3.', '2.1.');
    expect(first).toMatchObject({ version: pinned, native: { lacking: {} }, dropIn: { lacking: {} } });
    expect(others.length).toBeGreaterThanOrEqual(5);
  });

  it('lists what a version lacks under its reason, and counts the rest', () => {
    const outcome = { tried: 3, lacking: { one: 'It came with the CLI 2.1.9', two: 'It came with the CLI 2.1.9' } };
    const text = versionsPage([{ version: '2.1.1', native: outcome, dropIn: { tried: 4, lacking: {} } }]);
    expect(text).toContain('| 2.1.1 | 1 of 3 | 4 of 4 |');
    expect(text).toContain('**2.1.1, native**\n\n- It came with the CLI 2.1.9: one, two');
    expect(text).not.toContain('2.1.1, drop-in');
  });
});
