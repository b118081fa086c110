// Holds `docs/reference`, a page for each door, to the doc comments of the sources, by typedoc (`typedoc.json`).
// `pnpm reference` compares the pages with what the comments give; `pnpm reference --update` rewrites them.
import { mkdtempSync, rmSync } from 'node:fs';
import { registerHooks } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { root, run } from './workspace.mjs';

// typedoc calls the compiler, and TypeScript 7 has no API for that.
registerHooks({ resolve: (name, context, next) => next(name === 'typescript' ? 'typescript-6' : name, context) });
const { Application, Converter } = await import('typedoc');

/** What a program imports, and the folder of `packages` with its names. The drop-in has the names of the official package. */
const doors = {
  '@hexagent/sdk': 'sdk/src',
  '@hexagent/chat': 'server/chat/src',
  '@hexagent/testing': 'testing/src',
  '@hexagent/testing/contracts': 'testing/src/contracts',
  '@hexagent/testing/scenarios': 'testing/src/scenarios',
  '@hexagent/testing/loopback': 'testing/src/loopback',
  '@hexagent/testing/cli': 'testing/src/cli',
};
const pages = path.join(root, 'docs/reference');
const update = process.argv.includes('--update');
const out = update ? pages : mkdtempSync(path.join(os.tmpdir(), 'hexagent-reference-'));
const entryPoints = Object.values(doors).map((folder) => path.join(root, 'packages', folder, 'index.ts'));
const app = await Application.bootstrapWithPlugins({ options: path.join(root, 'typedoc.json'), entryPoints, out });
// A member that a documented type inherits stands there.
const isRepeated = (one) => (one.inheritedFrom ?? one.signatures?.[0]?.inheritedFrom)?.reflection !== undefined;
const withoutRepetition = ({ project }) =>
  Object.values(project.reflections).forEach((one) => isRepeated(one) && project.removeReflection(one));
app.converter.on(Converter.EVENT_RESOLVE_END, withoutRepetition, -50);
const project = await app.convert();
for (const page of project.children) page.name = Object.keys(doors).find((door) => doors[door] === page.name);
await app.generateOutputs(project);
if (!update && !run('git', ['diff', '--no-index', '--no-color', '--', pages, out])) {
  console.error('The reference differs from the doc comments: pnpm reference --update, and commit `docs/reference`.');
  process.exitCode = 1;
}
if (!update) rmSync(out, { recursive: true });
