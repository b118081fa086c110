import { readFile } from 'node:fs/promises';
import { external } from '@hexagent/mcp-client';
import { openSession } from '@hexagent/sdk';
import { isAlive } from '@hexagent/testing/cli';
import { toolUse } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';
import { callAll, callOnce } from '../support/tool-calls.ts';
import { answer, openWith, published } from './servers-of-others.ts';
import { calculator, everything, greeter, greeting, open, own, secret } from './servers.ts';

withCli('A tool of the program’s own', () => {
  it('is called by the agent and answers it', async () => {
    await using place = await stage(callOnce('mcp__calculator__add', { a: 40, b: 2 }));
    await using session = await openSession({
      ...place.options,
      tools: [{ calculator }],
      permissions: { allow: ['mcp__calculator'] },
    });
    expect(await session.send('go').result).toMatchObject({ kind: 'completed', text: 'The tool said: 42' });
  });
});

withCli('A stdio server that we dial', () => {
  it('serves the agent, which never sees its secret, and is gone with the session', async () => {
    await using place = await stage(callOnce('mcp__greeting__greet', { name: 'you' }));
    await using session = await openSession({
      ...place.options,
      tools: [{ greeting: greeting() }],
      permissions: { allow: ['mcp__greeting'] },
    });
    const outcome = await session.send('go').result;
    const text = outcome.kind === 'completed' ? outcome.text : outcome.kind;
    expect(text).toMatch(/^The tool said: Hello you, from \d+ with made-up-secret-of-a-test$/);
    const { pid } = await session.ready;
    const seen = await Promise.all(
      ['cmdline', 'environ'].map((file) => readFile(`/proc/${String(pid)}/${file}`, 'utf8').catch(() => '')),
    );
    // Elsewhere than on Linux they cannot be read like this.
    expect(process.platform === 'linux' && seen.includes('')).toBe(false);
    expect(seen.join()).not.toContain(secret);
    await session.close();
    expect(isAlive(Number(/from (\d+)/.exec(text)?.[1]))).toBe(false);
  });
});

withCli('session.mcp', () => {
  it('#47 calls tools, of servers that the agent dials and of those in this process, and reports why one fails', async () => {
    await using place = await stage();
    await using session = await open(place, { greeter, everything, own: own() });
    await session.mcp.ready();
    expect(await session.mcp.call('own', 'hi')).toEqual({ content: [{ type: 'text', text: 'hello' }] });
    expect(await session.mcp.call('everything', 'echo', { message: 'café' })).toMatchObject({
      content: [{ text: 'Echo: café' }],
    });
    await expect(session.mcp.call('own', 'fail')).rejects.toMatchObject({
      code: 'REQUEST_FAILED',
      message: 'The tool fail failed: out of ink',
    });
    await expect(session.mcp.call('greeter', 'greet', { name: 3 })).rejects.toMatchObject({
      code: 'REQUEST_FAILED',
      message: expect.stringContaining('expected string'),
    });
    await expect(session.mcp.call('own', 'nope')).rejects.toMatchObject({ message: expect.stringContaining('nope') });
  });
});

withCli('A server that others wrote, dialled by this process', () => {
  it('asks the program, which answers for a person and for a model', async () => {
    const everything = external({
      name: 'everything',
      ...published('everything', 'stdio'),
      elicitor: { elicit: async () => ({ action: 'accept', content: { name: 'Ada', check: true } }) },
      sampler: {
        sample: async () => ({ role: 'assistant', content: { type: 'text', text: 'a made-up reply' }, model: 'none' }),
      },
    });
    await using place = await stage(
      callAll(
        toolUse('mcp__everything__trigger-elicitation-request', {}),
        toolUse('mcp__everything__trigger-sampling-request', { prompt: 'Hi', maxTokens: 5 }),
      ),
    );
    await using session = await openWith(place, { everything });
    const text = await answer(session);
    expect(text).toContain('Ada');
    expect(text).toContain('a made-up reply');
  });
});
