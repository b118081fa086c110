import { fileURLToPath } from 'node:url';
import { gate, text } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { runWithPipes } from '../support/running-program.ts';
import { stage } from '../support/stage.ts';

const program = fileURLToPath(new URL('fixtures/closing-chat.ts', import.meta.url));

withCli('A chat that is closed where nothing else keeps the process alive', () => {
  it.each(['idle', 'running', 'unused', 'host', 'memory'])('has closed before the process ends: %s', async (what) => {
    await using place = await stage(() => (what === 'running' ? text(['half ', gate()]) : 'whole'));
    const args = ['--conditions=@hexagent/source', program, JSON.stringify(place.options), what];
    await using running = runWithPipes(args, { cwd: place.home.cwd, env: {} });
    const code = await running.exitCode;
    expect([code, running.output]).toEqual([0, 'closed\n']);
  });
});
