import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ask, openSession } from '@hexagent/sdk';
import { gate, text } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { compileCache } from '../support/compile-cache.ts';
import { stage, type Stage } from '../support/stage.ts';
import { untilItStreams } from '../support/until-it-streams.ts';

withCli('Leaving early', () => {
  it('#3 #4 by break ends the agent in the background', async () => {
    await using place = await stage([text(['word ', gate()])]);
    const answer = ask('go', { ...place.options, partialMessages: true });
    for await (const message of answer) if (message.type === 'stream_event') break;
    await answer.close();
    await expect(answer.result).resolves.toMatchObject({ kind: 'interrupted' });
  });
});

withCli('Closing in the middle of a turn', () => {
  it('keeps the text until then: a resumed session contains it', async () => {
    await using place = await stage((request) =>
      request.body.messages.some(({ role }) => role === 'assistant')
        ? JSON.stringify(request.body.messages)
        : text(['partial words ', gate()]),
    );
    const session = await openSession({ ...place.options, partialMessages: true });
    const turn = session.send('tell me');
    await untilItStreams(turn);
    await session.close();
    const outcome = await turn.result;
    if (outcome.kind !== 'interrupted') throw new Error(outcome.kind);
    const resumed = await ask('go on', { ...place.options, resume: outcome.result.session_id }).result;
    expect(resumed).toMatchObject({ kind: 'completed', text: expect.stringContaining('partial words') });
  });
});

withCli('#3 A program', () => {
  const run = async (place: Stage, program: string): Promise<{ code: unknown; output: string }> => {
    const source = `import { ask, openSession } from '@hexagent/sdk';
import { query } from '@hexagent/sdk/claude-agent-sdk';
      const options = JSON.parse(process.argv[1]);
      ${program}`;
    const args = ['--conditions=@hexagent/source', '--input-type=module', '-e', source, JSON.stringify(place.options)];
    const child = spawn(process.execPath, args, {
      cwd: import.meta.dirname,
      env: { ...process.env, ...compileCache },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => (output += piece));
    const [code] = await once(child, 'close');
    return { code, output };
  };

  it.each([
    ['has its answer', `console.log((await ask('hi', options).result).text);`],
    [
      'has left its loop',
      `for await (const { type } of ask('hi', options)) if (type === 'result') break; console.log('fine');`,
    ],
    [
      'has closed its session',
      `const s = await openSession(options); console.log((await s.send('hi').result).text); await s.close();`,
    ],
    [
      'has its last message of the drop-in',
      `const { cwd, executable, env } = options;
       const o = { cwd, env: env.set, pathToClaudeCodeExecutable: executable };
       for await (const m of query({ prompt: 'hi', options: o })) if (m.type === 'result') console.log(m.result);`,
    ],
  ])('ends by itself when it %s', async (_, program) => {
    await using place = await stage(['fine']);
    expect(await run(place, program)).toEqual({ code: 0, output: 'fine\n' });
  });
});
