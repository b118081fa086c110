import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runWithPipes, type ProgramOptions, type RunningProgram } from '../support/running-program.ts';
import type { Stage } from '../support/stage.ts';
import {
  fromSources,
  hasNamespaces,
  leftoversOf,
  placeFor,
  root,
  withFullDisk,
  withoutNetwork,
  withTerminal,
} from './example-programs.ts';

const chat = join(root, 'examples/chat/chat.ts');

const start = (place: Stage, flags: readonly string[], options: Partial<ProgramOptions> = {}): RunningProgram =>
  runWithPipes(fromSources(chat, '--no-open', ...flags), { cwd: place.home.cwd, env: place.env, ...options });

/** It ends with these texts, without a stack, and leaves nothing behind. */
async function expectProblem(program: RunningProgram, place: Stage, texts: readonly string[]): Promise<void> {
  expect(await program.exitCode, program.output).toBe(1);
  for (const text of texts) expect(program.output).toContain(text);
  expect(program.output).not.toContain('    at ');
  expect(await leftoversOf(place)).toEqual([]);
}

withTerminal('The chat names what keeps it from starting:', () => {
  it('a port that is in use', async () => {
    await using place = await placeFor();
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo; // it listens on a port, not on a pipe
    await using program = start(place, ['--port', String(port)]);
    await expectProblem(program, place, [`Port ${port} is in use. Name another one with --port`]);
    other.close();
  });

  it('a folder that is a file', async () => {
    await using place = await placeFor();
    const file = join(place.home.cwd, 'file');
    await writeFile(file, '');
    await using program = start(place, ['--folder', file]);
    await expectProblem(program, place, [`--folder ${file} cannot be used (ENOTDIR`]);
  });

  it('a folder that cannot be made', async () => {
    await using place = await placeFor();
    await using program = start(place, ['--folder', '/proc/x']);
    await expectProblem(program, place, ['--folder /proc/x cannot be used (ENOENT', 'made in one that exists']);
  });

  it('a temporary folder that does not exist', async () => {
    await using place = await placeFor();
    const missing = join(place.home.root, 'missing');
    await using program = start(place, [], { env: { ...place.env, TMPDIR: missing } });
    await expectProblem(program, place, [`temporary folder ${missing} cannot be used (ENOENT`, 'set TMPDIR']);
  });

  it.skipIf(!hasNamespaces)('a disk that is full', async () => {
    await using place = await placeFor();
    const { tmp, cwd } = place.home;
    await using program = start(place, [], { under: withFullDisk(tmp) });
    await expectProblem(program, place, [`temporary folder ${tmp} cannot be used (ENOSPC`]);
    await using named = start(place, ['--folder', join(cwd, 'new')], {
      cwd: place.home.root,
      under: withFullDisk(cwd),
    });
    await expectProblem(named, place, [`--folder ${join(cwd, 'new')} cannot be used (ENOSPC`]);
  });

  it.skipIf(!hasNamespaces)('a network without the loopback', async () => {
    await using place = await placeFor();
    await using program = start(place, [], { under: withoutNetwork });
    await expectProblem(program, place, ['cannot be reached at 127.0.0.1 (connect ENETUNREACH']);
  });

  it('nothing, where the folder is new: it is made, and kept', async () => {
    await using place = await placeFor();
    const folder = join(place.home.cwd, 'new');
    await using program = start(place, ['--folder', folder]);
    await program.shows('Ctrl-C ends it.');
    process.kill(program.pid, 'SIGQUIT');
    expect(await program.exitCode).toBe(131);
    expect(existsSync(join(folder, 'state'))).toBe(true);
    expect(await readdir(folder)).not.toContain('room');
  });
});
