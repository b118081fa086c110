import { describe, inject, it } from 'vitest';
import { toolPath } from '../../scripts/workspace.mjs';
import { run } from './run.ts';

const { tarballs, project, env } = inject('packed');
const publint = [toolPath('publint'), '--strict', '--level', 'warning'];
const attw = [
  toolPath('@arethetypeswrong/cli', 'attw'),
  // Of older resolutions only `require()` of an ES module is left out: the Nodes that we promise can do it, attw's cannot.
  ...['--ignore-rules', 'cjs-resolves-to-esm', '--no-definitely-typed', '--no-emoji', '--format', 'ascii'],
];

describe('As it would be published', () => {
  it.each(tarballs)('$name has neither faults for publint nor wrong types for attw', async ({ file }) => {
    for (const tool of [publint, attw]) await run(process.execPath, [...tool, file], { cwd: project, env });
  });
});
