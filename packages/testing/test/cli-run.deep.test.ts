import { existsSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  controlAnswer,
  descendants,
  hermeticHome,
  isAlive,
  processesMentioning,
  runCli,
  survivors,
  userFrame,
  type CliRun,
  type HermeticHome,
} from '@hexagent/testing/cli';

const loopback = { url: 'http://127.0.0.1:9' };

/** A program in place of the CLI. */
async function program(place: HermeticHome, source: string): Promise<string> {
  const file = join(place.root, 'program.mjs');
  await writeFile(file, `#!/usr/bin/env node\n${source}`);
  await chmod(file, 0o755);
  return file;
}

async function start(place: HermeticHome, source: string): Promise<CliRun> {
  return await runCli({ cli: await program(place, source), loopback, home: place, args: ['--mine'] });
}

const echo = `
  import { createInterface } from 'node:readline';
  console.log(JSON.stringify({ type: 'started', argv: process.argv.slice(2), key: process.env.ANTHROPIC_API_KEY, cwd: process.cwd() }));
  createInterface({ input: process.stdin }).on('line', (line) => {
    const frame = JSON.parse(line);
    if (frame.type === 'control_request')
      console.log(JSON.stringify({ type: 'control_response', response: { subtype: 'success', request_id: frame.request_id, response: frame.request } }));
    else console.log(line);
  });`;

describe.skipIf(process.platform === 'win32')('A raw run', () => {
  it('starts the executable with the flags of the wire, in the hermetic home', async () => {
    await using place = await hermeticHome();
    await using run = await start(place, echo);
    expect(await run.frame('started')).toEqual({
      type: 'started',
      argv: ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json', '--mine'],
      key: 'sk-hexagent-loopback',
      cwd: place.cwd,
    });
  });

  it('gives each frame to one frame() call, made before it arrives or after', async () => {
    await using place = await hermeticHome();
    await using run = await start(place, echo);
    const second = run.frame((frame) => frame.type === 'user' && frame['uuid'] === '2');
    await run.send(userFrame('one', { uuid: '1' }));
    await run.send(userFrame('two', { uuid: '2' }));
    expect((await second)['uuid']).toBe('2');
    expect((await run.frame('user'))['uuid']).toBe('1');
    await run.send('{"type":"system","subtype":"init"}');
    expect((await run.frame('system/init')).subtype).toBe('init');
    expect(run.frames.map((frame) => frame.type)).toEqual(['started', 'user', 'user', 'system']);
  });

  it('sends requests and finds their responses, and answers those of the CLI', async () => {
    await using place = await hermeticHome();
    await using run = await start(place, echo);
    const answer = await run.request('set_model', { model: 'm' });
    expect(answer.response?.['response']).toEqual({ subtype: 'set_model', model: 'm' });
    const asked = { type: 'control_request', request_id: 'r', request: { subtype: 'can_use_tool' } };
    expect(controlAnswer(asked, { behavior: 'allow' })).toEqual({
      type: 'control_response',
      response: { subtype: 'success', request_id: 'r', response: { behavior: 'allow' } },
    });
  });

  it('keeps lines whole, and lists those that are not frames separately', async () => {
    await using place = await hermeticHome();
    await using run = await start(
      place,
      `process.stdout.write('{"type":"a","text":"one\\u2028line"}\\nnot a frame\\n{"type":"un');
       setImmediate(() => process.stdout.write('terminated"}'));`,
    );
    expect((await run.frame('a'))['text']).toBe('one\u2028line');
    await run.exit;
    expect((await run.frame('unterminated')).type).toBe('unterminated');
    expect(run.otherLines).toEqual(['not a frame']);
  });

  it('reports how it ended, also to pending frame() calls', async () => {
    await using place = await hermeticHome();
    await using run = await start(
      place,
      `console.error('no luck'); console.log('{"type":"only"}'); process.exitCode = 3;`,
    );
    await expect(run.frame('result')).rejects.toThrow(/the CLI ended with 3\. stderr: no luck\n Frames seen: only\//);
    await expect(run.frame('result')).rejects.toThrow('the CLI ended with 3');
    expect(await run.exit).toEqual({ code: 3, signal: null, stderr: 'no luck\n' });
  });

  it('ends when its stdin is closed, if the program does', async () => {
    await using place = await hermeticHome();
    await using run = await start(place, echo);
    run.end();
    expect(await run.exit).toMatchObject({ code: 0, signal: null });
  });

  it('ends all its processes on stop(): stubborn ones, those in sessions of their own, and orphans', async () => {
    const stubborn = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);`;
    await using place = await hermeticHome();
    const run = await start(
      place,
      `import { spawn } from 'node:child_process';
       const start = (source, detached) => spawn(process.execPath, ['-e', source], { detached, stdio: 'ignore' });
       const child = start(${JSON.stringify(stubborn)}, true);
       const middle = start(\`require('node:child_process').spawn(process.execPath, ['-e', \${JSON.stringify(${JSON.stringify(stubborn)})}], { detached: true, stdio: 'ignore' }).unref()\`, false);
       middle.on('exit', () => console.log(JSON.stringify({ type: 'ready', child: child.pid })));
       ${stubborn}`,
    );
    const { child } = await run.frame('ready');
    expect(descendants(run.pid)).toEqual([child]); // the orphan has no parent any more
    expect(processesMentioning(place.root).length).toBeGreaterThanOrEqual(process.platform === 'linux' ? 3 : 1);
    await run.stop();
    expect(isAlive(run.pid)).toBe(false);
    expect(isAlive(Number(child))).toBe(false);
    expect(processesMentioning(place.root)).toEqual([]);
    await run.stop();
  });

  it('removes its own home, and keeps a given one', async () => {
    await using place = await hermeticHome();
    const cli = await program(place, echo);
    const own = await runCli({ cli, loopback });
    await own.stop();
    expect(existsSync(own.home.root)).toBe(false);
    await (await runCli({ cli, loopback, home: place })).stop();
    expect(existsSync(place.root)).toBe(true);
  });

  it('that cannot start rejects with the file, and leaves nothing', async () => {
    await expect(runCli({ cli: '/no/such/program', loopback })).rejects.toThrow('Could not start /no/such/program.');
  });
});

describe('The process helpers', () => {
  it('find this process, and no process with an unused id', async () => {
    expect(isAlive(process.pid)).toBe(true);
    expect(isAlive(2 ** 30)).toBe(false);
    expect(await survivors([2 ** 30], 0)).toEqual([]);
    expect(await survivors([process.pid], 0)).toEqual([process.pid]);
  });
});
