import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { comparableText } from '../differential/comparable-run.ts';
import { withCli } from '../support/cli.ts';
import { compileCache } from '../support/compile-cache.ts';
import { stage } from '../support/stage.ts';
import { models, type Played } from './programs/models.ts';

const folder = fileURLToPath(new URL('./programs', import.meta.url));
const official = '@anthropic-ai/claude-agent-sdk';

/** What lies at the official name: the package itself, or what an alias puts there. */
const packages = {
  official: fileURLToPath(new URL(`../node_modules/${official}`, import.meta.url)),
  ours: fileURLToPath(new URL('../node_modules/@hexagent/claude-agent-sdk', import.meta.url)),
} as const;

const zod = fileURLToPath(new URL('../node_modules/zod', import.meta.url));

/** What a program prints, in a project that has one of the packages under the official name. */
async function print(side: keyof typeof packages, name: keyof typeof models): Promise<string> {
  const { model, typed = [] }: Played = models[name];
  await using place = await stage(model());
  const project = join(place.home.root, 'project');
  await mkdir(join(project, 'node_modules/@anthropic-ai'), { recursive: true });
  await symlink(packages[side], join(project, 'node_modules', official));
  await symlink(zod, join(project, 'node_modules/zod'));
  await cp(join(folder, `${name}.ts`), join(project, 'program.ts'));
  await writeFile(join(project, 'package.json'), '{"type":"module"}');
  await writeFile(join(place.home.cwd, 'notes.txt'), 'one two three\n');
  const program = spawn(process.execPath, ['--conditions=@hexagent/source', join(project, 'program.ts')], {
    cwd: place.home.cwd,
    env: { ...compileCache, ...place.env, NODE_NO_WARNINGS: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  program.stdin.on('error', () => {}); // one that reads nothing may have ended
  program.stdin.end(typed.map((line) => `${line}\n`).join(''));
  let output = '';
  for (const stream of [program.stdout, program.stderr])
    stream.setEncoding('utf8').on('data', (piece: string) => (output += piece));
  const code = await new Promise((resolve) => program.once('close', resolve));
  return comparableText(`${output}(${String(code)})`);
}

withCli('A program that was written for the official package', () => {
  it.each(Object.keys(models) as (keyof typeof models)[])(
    // of this very object
    'prints the same when the name leads here: %s',
    async (name) => {
      const [there, here] = await Promise.all([print('official', name), print('ours', name)]);
      for (const shown of models[name].prints) expect(there).toContain(shown);
      expect(there).toMatch(/\(0\)$/);
      expect(here).toBe(there);
    },
  );
});

describe('Programs that were written for the official package', () => {
  it('compile when the name leads here', async () => {
    const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
    const errors = await new Promise<string>((resolve) => {
      execFile(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], (error, stdout, stderr) =>
        resolve(error ? `${stdout}${stderr}` : ''),
      );
    });
    expect(errors).toBe('');
  });
});
