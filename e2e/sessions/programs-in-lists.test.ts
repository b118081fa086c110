import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { cli, withCli } from '../support/cli.ts';
import { run } from '../support/queries.ts';
import { stage, type Stage } from '../support/stage.ts';
import { areLeftOutUnlessNamed } from './left-out.ts';

withCli('Sessions that are left out of a list for a person', () => {
  it('#52 are those of the drop-in, unless the program names itself otherwise', () =>
    areLeftOutUnlessNamed((place, set) => run(place, { env: { ...place.env, ...set } }, 'hi')));

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
