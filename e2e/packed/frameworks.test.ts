import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { processesMentioning, survivors } from '@hexagent/testing/cli';
import { gate, text } from '@hexagent/testing/loopback';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { cli, withCli } from '../support/cli.ts';
import { runWithPipes } from '../support/running-program.ts';
import { stage } from '../support/stage.ts';
import { frameworks, layProject } from './framework-projects.ts';
import { run } from './run.ts';

const { project, env } = inject('packed');
const message = { id: 'chat', message: { id: 'm', role: 'user', parts: [{ type: 'text', text: 'Hello' }] } };

/** An upper bound for a busy machine, which fetches and builds a project of Next. */
const timeout = 400_000;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port, not on a pipe
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Reads a stream until it has a text, or to its end. */
async function readUntil(reader: ReadableStreamDefaultReader<string>, wanted?: string): Promise<string> {
  let read = '';
  for (;;) {
    const { done, value = '' } = await reader.read();
    read += value;
    if (done || (wanted !== undefined && read.includes(wanted))) return read;
  }
}

const readerOf = ({ body }: Response): ReadableStreamDefaultReader<string> => {
  if (body === null) throw new Error('The response has no body.');
  return body.pipeThrough(new TextDecoderStream()).getReader();
};

// Windows has no signal that a program could end in order by.
const withSignals: typeof withCli = process.platform === 'win32' ? describe.skip : withCli;

withSignals('The chat behind a framework', () => {
  describe.each(frameworks)('$name', (framework) => {
    let folder: string;
    beforeEach(async () => {
      folder = await layProject(framework, { packages: `${project}/node_modules`, env });
    }, timeout);
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    it('streams a turn, continues it without a reader, and ends it in order on SIGTERM', { timeout }, async () => {
      const rest = gate();
      const port = await freePort();
      const quiet = { NEXT_TELEMETRY_DISABLED: '1' };
      if (framework.build) await run(process.execPath, framework.build, { cwd: folder, env: { ...env, ...quiet } });
      await using place = await stage([text(['First half. ', rest])], {
        ...quiet,
        CLAUDE_CODE_PATH: cli,
        HOST: '127.0.0.1',
        PORT: String(port),
      });
      await using program = runWithPipes(framework.start, { cwd: folder, env: place.env });
      await program.shows(framework.ready);
      const origin = `http://127.0.0.1:${port}`;
      const post = (from: string, signal?: AbortSignal): Promise<Response> =>
        fetch(`${origin}/api/chat`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin: from },
          body: JSON.stringify(message),
          ...(signal && { signal }),
        });

      const foreign = await post('http://evil.example');
      expect([foreign.status, await foreign.json()]).toMatchObject([403, { error: { code: 'ORIGIN_REFUSED' } }]);
      expect((await fetch(origin)).status).toBe(framework.build || framework.source === 'electron' ? 200 : 404);

      const leaving = new AbortController();
      const sent = await post(origin, leaving.signal);
      expect(await readUntil(readerOf(sent), 'First half. ')).toContain('"type":"text-delta"');
      leaving.abort();

      const again = readerOf(await fetch(`${origin}/api/chat/chat/stream`));
      expect(await readUntil(again, 'First half. ')).toContain('First half. ');
      process.kill(program.pid, 'SIGTERM');
      expect(await readUntil(again)).toContain('"suspended":true');
      expect([await program.exitCode, program.output]).toEqual([framework.exitCode, expect.any(String)]);
      const left = processesMentioning(place.home.root).map(({ pid }) => pid);
      expect(await survivors(left, 10_000)).toEqual([]);
    });
  });
});
