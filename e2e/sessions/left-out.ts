import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { storedSessions } from '@hexagent/sdk';
import { expect } from 'vitest';
import { stage, type Stage } from '../support/stage.ts';

/** Runs a program under several names, and expects its sessions in the lists that a name puts them in. */
export async function areLeftOutUnlessNamed(
  runProgram: (place: Stage, set: Readonly<Record<string, string>>) => Promise<unknown>,
): Promise<void> {
  await using place = await stage(() => 'fine');
  const sessions = storedSessions({ configDir: path.join(place.home.home, '.claude') });
  const forPeople = async (): Promise<number> => (await sessions.list({ includeProgrammatic: false })).length;

  await runProgram(place, {});
  expect(await entrypoints(place)).toEqual(new Set(['sdk-ts']));
  expect([(await sessions.list()).length, await forPeople()]).toEqual([1, 0]);

  await runProgram(place, { CLAUDE_CODE_ENTRYPOINT: 'my-app' });
  expect(await entrypoints(place)).toEqual(new Set(['sdk-ts', 'my-app']));
  expect([(await sessions.list()).length, await forPeople()]).toEqual([2, 1]);

  // The CLI keeps its own name for itself: without a terminal it writes another one.
  await runProgram(place, { CLAUDE_CODE_ENTRYPOINT: 'cli' });
  expect(await entrypoints(place)).toEqual(new Set(['sdk-ts', 'my-app', 'sdk-cli']));
  expect([(await sessions.list()).length, await forPeople()]).toEqual([3, 1]);
}

/** What the CLI wrote into its transcripts. */
async function entrypoints({ home }: Stage): Promise<ReadonlySet<string>> {
  const projects = path.join(home.home, '.claude', 'projects');
  const files = (await readdir(projects, { recursive: true })).filter((file) => file.endsWith('.jsonl'));
  const texts = await Promise.all(files.map((file) => readFile(path.join(projects, file), 'utf8')));
  return new Set(texts.flatMap((text) => [...text.matchAll(/"entrypoint":"([^"]*)"/g)].map(([, name = '']) => name)));
}
