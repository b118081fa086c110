import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { createSdk, TurnError, type Session } from '@hexagent/sdk';
import { gate, linkedTransport, reply, scriptedAgent, type AgentScript } from '@hexagent/testing';

type Turns = Extract<AgentScript['turns'], readonly unknown[]>;

async function open(...turns: Turns): Promise<Session> {
  return await createSdk({ transport: linkedTransport(scriptedAgent({ turns })).transport }).openSession();
}

const city = z.object({ name: z.string() });
const output = { output: city };
const rome = { name: 'Rome' };

describe('#18 A turn of a session whose agent has a schema', () => {
  it.each([
    ['what the model wrote', 'It is Rome.', ' The model wrote: It is Rome.'],
    ['the beginning of a long text', 'x'.repeat(300), ` The model wrote: ${'x'.repeat(100)}…`],
    ['nothing else where the model wrote nothing', ' ', ''],
  ])('says that there is no output, and %s', async (_, answer, wrote) => {
    const { transport } = linkedTransport(scriptedAgent({ turns: [[answer]] }));
    const session = await createSdk({ transport }).openSession(output);
    const message = `The turn ended without an output.${wrote}`;
    expect(await session.send('go').result).toMatchObject({ kind: 'failed', cause: 'output', message });
    await session.close();
  });
});

describe('#18 The output of a single turn', () => {
  it.each([
    ['JSON', '{"name":"Rome"}'],
    ['JSON in a code block', 'Here:\n```json\n{"name":"Rome"}\n```\nDone.'],
    ['the last of several code blocks', '```json\n{"name":"Milan"}\n```\n```\n{"name":"Rome"}\n```'],
    ['JSON with sentences around it', 'It is {"name":"Rome"}, I think.'],
  ])('is found in an answer that is %s', async (_, answer) => {
    const session = await open([answer]);
    const turn = session.send('Which city?', output);
    expect(await turn.result).toMatchObject({ kind: 'completed', output: rome, text: answer });
    expect((await turn.output()).name).toBe('Rome');
    await session.close();
  });

  it('may be a value that is not an object', async () => {
    const session = await open(['["a"]'], ['42']);
    expect(await session.send('go', { output: z.array(z.string()) }).output()).toEqual(['a']);
    expect(await session.send('go', { output: z.number() }).output()).toBe(42);
    await session.close();
  });

  it.each([
    ['is not JSON', 'It is Rome.', { value: 'It is Rome.', problem: 'The answer is not JSON.' }],
    ['does not pass', '{"name":5}', { value: { name: 5 }, problem: expect.stringContaining('name: Invalid input') }],
  ])('fails where the answer %s', async (_, answer, attempt) => {
    const session = await open([answer]);
    const turn = session.send('go', output);
    expect(await turn.result).toMatchObject({ kind: 'failed', cause: 'output', text: answer, attempts: [attempt] });
    await expect(turn.output()).rejects.toBeInstanceOf(TurnError);
    await session.close();
  });

  it('is corrected once in one more turn, where the program asks for that', async () => {
    const session = await open(['It is Rome.'], ['{"name":"Rome"}'], ['{"name":5}'], ['{"name":6}']);
    const repaired = session.send('go', { ...output, repair: true });
    expect(await repaired.result).toMatchObject({ kind: 'completed', output: rome });
    expect(await repaired.output()).toEqual(rome);
    expect(await repaired.interrupt()).toBe('too_late');
    const attempts = [{ value: { name: 5 } }, { value: { name: 6 } }];
    expect(await session.send('go', { ...output, repair: true }).result).toMatchObject({ kind: 'failed', attempts });
    expect(() => session.send('go', { repair: true })).toThrow('`options.repair` needs `options.output`');
    await session.close();
  });

  it('is interrupted while it is corrected', async () => {
    const session = await open(['It is Rome.'], [reply.hold(gate())]);
    const turn = session.send('go', { ...output, repair: true });
    const { result } = turn;
    const turns = session.events();
    for await (const event of turns) if (event.kind === 'turn_started' && event.turn !== turn.id) break;
    expect(await turn.interrupt()).toBe('interrupted');
    expect(await result).toMatchObject({ kind: 'interrupted' });
    await session.close();
  });

  it('is not corrected after the turn was interrupted while its output was checked', async () => {
    const checking = gate();
    const slow = z.object({ name: z.string().refine(async () => (await checking.pass(), false)) });
    const session = await open(['{"name":"Rome"}'], ['{"name":"Rome"}']);
    const turn = session.send('go', { output: slow, repair: true });
    const { result } = turn;
    for await (const event of session.events()) if (event.kind === 'turn_ended') break;
    expect(await turn.interrupt()).toBe('too_late');
    checking.open();
    expect(await result).toMatchObject({ kind: 'failed', cause: 'output', attempts: [{ value: rome }] });
    expect(session.ledger.results).toBe(1);
    await session.close();
  });

  it('is not corrected where nothing can be sent any more', async () => {
    const session = await open(['It is Rome.']);
    const turn = session.send('go', { ...output, repair: true });
    for await (const _ of turn);
    void session.finish();
    expect(await turn.result).toMatchObject({ kind: 'failed', cause: 'output' });
  });

  it('fails as any other where the turn does not complete', async () => {
    const session = await open([reply.apiError(529, 'overloaded')]);
    expect(await session.send('go', output).result).toMatchObject({ kind: 'failed', cause: 'api' });
    await session.close();
  });

  it('leaves the turns without a schema as they are', async () => {
    const session = await open(['{"name":"Rome"}'], ['Just text.']);
    await session.send('go', output).result;
    expect(await session.send('go').result).not.toHaveProperty('output');
    await session.close();
  });

  it('is refused with a schema that has to be loaded, and with an option that does not exist', async () => {
    const session = await open();
    expect(() => session.send('go', { output: mini.object({}) })).toThrow('Pass a schema of zod 4.2 or later');
    expect(() => session.send('go', Object({ schema: city }))).toThrow('schema');
    await session.close();
  });

  it('is refused in a session whose agent has a schema', async () => {
    const { transport } = linkedTransport(scriptedAgent({ turns: [] }));
    const session = await createSdk({ transport }).openSession(output);
    expect(() => session.send('go', output)).toThrow('the agent takes one schema, at its start');
    await session.close();
  });
});
