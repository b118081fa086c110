import type { CallToolResult, ToolExtra } from '@hexagent/mcp-sdk-server';
import { ask, openSession, tool, toolResult } from '@hexagent/sdk';
import { toolResults, toolUse, type ModelRequest } from '@hexagent/testing/loopback';
import { describe, expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';
import { calling, engines, open, text, type GivenTool } from './own-servers.ts';

const contents: Readonly<Record<string, readonly [unknown, string | RegExp]>> = {
  words: [text('hi'), 'hi'],
  audio: [
    { content: [{ type: 'audio', data: 'aGk=', mimeType: 'audio/wav' }] },
    /Audio from mine.*audio\/wav, 2 bytes/,
  ],
  embedded: [{ content: [{ type: 'resource', resource: { uri: 'note://1', text: 'inside' } }] }, /note:\/\/1\] inside/],
  file: [
    { content: [{ type: 'resource', resource: { uri: 'note://2', mimeType: 'application/pdf', blob: 'aGk=' } }] },
    /note:\/\/2\].*application\/pdf, 2 bytes/,
  ],
  link: [{ content: [{ type: 'resource_link', uri: 'note://3', name: 'three' }] }, /Resource link: three\] note:\/\/3/],
  structured: [{ ...text('plain'), structuredContent: { a: 1 } }, '{"a":1}'],
  failed: [{ ...text('bad'), isError: true }, /^ERROR bad/],
  empty: [{ content: [] }, /completed with no output/],
  large: [text('x'.repeat(20 * 1024 * 1024)), /20,971,520 characters/],
  nothing: [undefined, /^ERROR (The tool nothing answered with no result|.*Invalid tools\/call result)/],
  unread: [
    { content: 'x' },
    /^ERROR (The tool unread answered with something that the agent cannot read|.*Invalid tools\/call result)/,
  ],
  map: [
    { content: [], structuredContent: new Map() },
    /^ERROR (The tool map answered with something that is lost|.*Invalid tools\/call result)/,
  ],
};

withCli('#58 A server in this process', () => {
  describe.each(engines)('$engine', ({ serve }) => {
    it('shows the model content of every kind, and every failure of a tool: nothing leaves the agent waiting', async () => {
      const cyclic: Record<string, unknown> = { content: [] };
      cyclic['structuredContent'] = cyclic;
      const tools: GivenTool[] = [
        ...Object.entries(contents).map(([name, [result]]) => ({ name, run: () => result })),
        { name: 'cycle', run: () => cyclic },
        {
          name: 'throws',
          run: () => {
            throw new Error('kaboom');
          },
        },
      ];
      const { script, results } = calling(tools.map(({ name }) => name));
      await using place = await stage(script as never);
      await using session = await open(place, serve(tools));
      expect(await session.send('go').result).toMatchObject({ kind: 'completed', text: 'done' });
      for (const [name, [, wanted]] of Object.entries(contents)) expect(results.get(name)).toMatch(wanted);
      expect(results.get('cycle')).toMatch(/^ERROR The tool cycle answered with something that is lost/);
      expect(results.get('throws')).toMatch(/^ERROR kaboom/);
    });

    it('runs tools that only read at the same time, and the others one after the other', async () => {
      const both = Promise.withResolvers<void>();
      let running = 0;
      let most = 0;
      const meeting = async (): Promise<CallToolResult> => {
        if ((running += 1) === 2) both.resolve();
        await both.promise;
        return text('met');
      };
      const alone = async (): Promise<CallToolResult> => {
        most = Math.max(most, (running += 1));
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        return text('alone');
      };
      const { script, results } = calling(['one', 'two', 'three', 'four']);
      const tools = [
        { name: 'one', readOnly: true, run: meeting },
        {
          name: 'two',
          readOnly: true,
          run: async (): Promise<CallToolResult> => (await meeting(), (running = 0), text('met')),
        },
        { name: 'three', run: alone },
        { name: 'four', run: alone },
      ];
      await using place = await stage(script as never);
      await using session = await open(place, serve(tools));
      await session.send('go').result;
      expect([...results.values()]).toEqual(['met', 'met', 'alone', 'alone']);
      expect(most).toBe(1);
    });

    it('gives a tool the id of its use, and reports its progress', async () => {
      const seen: unknown[] = [];
      const report = async ({ _meta, sendNotification }: ToolExtra): Promise<CallToolResult> => {
        seen.push(_meta?.['claudecode/toolUseId']);
        const progressToken = _meta?.['progressToken'];
        await sendNotification({ method: 'notifications/progress', params: { progressToken, progress: 1, total: 2 } });
        await sendNotification({ method: 'notifications/message', params: { level: 'info', data: 'half' } });
        return text('reported');
      };
      const { script, results } = calling(['report']);
      await using place = await stage(script as never);
      await using session = await open(place, serve([{ name: 'report', run: report }]));
      await session.send('go').result;
      expect(seen).toEqual(['toolu_1_0']);
      expect(results.get('report')).toBe('reported');
    });

    it('aborts the signal of a tool when its turn is interrupted; what it returns then is dropped', async () => {
      const started = Promise.withResolvers<AbortSignal>();
      const released = Promise.withResolvers<void>();
      const slow = async ({ signal }: ToolExtra): Promise<CallToolResult> => {
        started.resolve(signal);
        await released.promise;
        return text('too late');
      };
      await using place = await stage([toolUse('mcp__mine__slow', {}), 'next']);
      await using session = await open(place, serve([{ name: 'slow', run: slow }]));
      const turn = session.send('go');
      const signal = await started.promise;
      await turn.interrupt();
      expect((await turn.result).kind).toBe('interrupted');
      expect(signal.aborted).toBe(true);
      released.resolve();
      expect(await session.send('again').result).toMatchObject({ kind: 'completed', text: 'next' });
    });

    it('aborts the signal of a tool when its server is turned off, and has its tools again when it is turned on', async () => {
      const started = Promise.withResolvers<AbortSignal>();
      const slow = async ({ signal }: ToolExtra): Promise<CallToolResult> => {
        started.resolve(signal);
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return text('too late');
      };
      const { script, results } = calling(['slow', 'fast']);
      await using place = await stage(script as never);
      await using session = await open(
        place,
        serve([
          { name: 'slow', run: slow },
          { name: 'fast', run: () => text('fast') },
        ]),
      );
      const turn = session.send('go');
      const signal = await started.promise;
      await session.mcp.toggle('mine', false);
      expect(signal.aborted).toBe(true);
      expect((await turn.result).kind).toBe('completed');
      expect(results.get('slow')).toContain('ERROR');
      await session.mcp.toggle('mine', true);
      expect(await session.mcp.call('mine', 'fast')).toMatchObject({ content: [{ text: 'fast' }] });
    });

    it('serves two sessions at once without mixing them', async () => {
      const server = serve([{ name: 'whoami', run: ({ _meta }) => text(String(_meta?.['claudecode/toolUseId'])) }]);
      const run = async (id: string): Promise<unknown> => {
        await using place = await stage((request) => {
          const [result] = toolResults(request);
          return result === undefined ? toolUse('mcp__mine__whoami', {}, id) : result.text;
        });
        await using session = await open(place, server);
        return await session.send('go').result;
      };
      expect(await Promise.all([run('toolu_a'), run('toolu_b')])).toMatchObject([
        { text: 'toolu_a' },
        { text: 'toolu_b' },
      ]);
    });
  });
});

withCli('#46 Tools of your own, without a server around them', () => {
  const forecast = tool('forecast', 'Tomorrow’s weather', {}, () => toolResult.text('Rain.'));
  const script = (request: ModelRequest): ReturnType<typeof toolUse> | string =>
    toolResults(request)[0]?.text ?? toolUse('mcp__own__forecast', {});

  it('run unasked where the permissions allow them', async () => {
    await using place = await stage(script);
    const permissions = { allowOwnTools: true };
    await using session = await openSession({ ...place.options, tools: [forecast], permissions });
    expect(await session.send('go').result).toMatchObject({ kind: 'completed', text: 'Rain.' });
  });

  it('need permission like others where they do not, and a deny rule holds', async () => {
    for (const permissions of [{}, { allowOwnTools: true, deny: ['mcp__own__forecast'] }]) {
      await using place = await stage(script);
      await using session = await openSession({ ...place.options, tools: [forecast], permissions });
      const outcome = await session.send('go').result;
      expect(outcome).not.toMatchObject({ text: 'Rain.' });
    }
  });

  it('work in ask(), and without any built-in tool: the model has them in its prompt then', async () => {
    await using place = await stage(script);
    const permissions = { allowOwnTools: true };
    const { result } = ask('go', { ...place.options, tools: ['none', forecast], permissions });
    expect(await result).toMatchObject({ kind: 'completed', text: 'Rain.' });
    const [first] = place.loopback.requests;
    expect(JSON.stringify(first)).toContain('"name":"mcp__own__forecast"');
  });
});
