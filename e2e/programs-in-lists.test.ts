import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ask, storedSessions } from '@hexagent/sdk';
import { expect, it } from 'vitest';
import { cli, withCli } from './support/cli.ts';
import { run } from './support/queries.ts';
import { stage, type Stage } from './support/stage.ts';

/** A program of each face, which sets variables of its agent. */
const faces = {
  'of openSession() and ask()': async (place: Stage, set: Readonly<Record<string, string>>) => {
    const env = { policy: 'exact', set: { ...place.env, ...set } } as const;
    await ask('hi', { ...place.options, env }).outcome;
  },
  'of the drop-in': async (place: Stage, set: Readonly<Record<string, string>>) => {
    await run(place, { env: { ...place.env, ...set } }, 'hi');
  },
};

withCli('Sessions that are left out of a list for a person', () => {
  it.each(Object.entries(faces))(
    '#52 are those %s, unless the program names itself otherwise',
    async (_, runProgram) => {
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
    },
  );

  // `script` gives the CLI a terminal.
  it.runIf(existsSync('/usr/bin/script'))(
    '#52 are left out by `claude --resume` as well',
    { timeout: 60_000 },
    async () => {
      await using place = await stage(() => 'fine');
      // The list shows the newest first: when the first one is there, the others would be.
      await run(place, { env: { ...place.env, CLAUDE_CODE_ENTRYPOINT: 'my-app' } }, 'opened by my app');
      await run(place, {}, 'opened by default');
      await run(place, { env: { ...place.env, CLAUDE_CODE_ENTRYPOINT: 'cli' } }, 'opened by cli');
      const shown = await picker(place, 'opened by my app');
      expect(shown).not.toContain('opened by default');
      expect(shown).not.toContain('opened by cli');
    },
  );
});

/** What the CLI shows a person who resumes a session, until this is there. */
async function picker({ home, env }: Stage, until: string): Promise<string> {
  const file = path.join(home.home, '.claude.json');
  const known: unknown = JSON.parse(await readFile(file, 'utf8'));
  // Nothing is asked of this person before the list is shown.
  const answered = {
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: [env['ANTHROPIC_API_KEY']?.slice(-20)], rejected: [] },
    projects: { [home.cwd]: { hasTrustDialogAccepted: true } },
  };
  await writeFile(file, JSON.stringify({ ...(known as object), ...answered }));
  const terminal = spawn('/usr/bin/script', ['-qfec', `stty cols 160 rows 50; exec '${cli}' --resume`, '/dev/null'], {
    cwd: home.cwd,
    env: { ...env, TERM: 'xterm-256color' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(terminal, 'exit');
  try {
    let shown = '';
    for await (const some of terminal.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
      shown = withoutMarks(`${shown}${some}`);
      if (shown.includes(until)) return shown;
    }
    throw new Error(`The list never showed ${until}: ${shown}`);
  } finally {
    terminal.stdout.resume();
    terminal.stdin.write('\u001b'); // Esc leaves the list
    await exited;
  }
}

/** A terminal's text without what colours it; to move on is a space there. */
const withoutMarks = (text: string): string => stripVTControlCharacters(text.replaceAll(stepRight, ' '));

const stepRight = `${String.fromCodePoint(0x1b)}[1C`;

/** What the CLI wrote into its transcripts. */
async function entrypoints({ home }: Stage): Promise<ReadonlySet<string>> {
  const projects = path.join(home.home, '.claude', 'projects');
  const files = (await readdir(projects, { recursive: true })).filter((file) => file.endsWith('.jsonl'));
  const texts = await Promise.all(files.map((file) => readFile(path.join(projects, file), 'utf8')));
  return new Set(texts.flatMap((text) => [...text.matchAll(/"entrypoint":"([^"]*)"/g)].map(([, name = '']) => name)));
}
