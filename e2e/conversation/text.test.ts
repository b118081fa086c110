import { ask, openSession, TurnError, type MessageSnapshot } from '@hexagent/sdk';
import { apiError, cut, errorEvent, gate, pause, text, toolUse, type TurnLike } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { collect } from '../support/collect.ts';
import { stage } from '../support/stage.ts';

const bash = { permissions: { allow: ['Bash(echo *)'] } };

withCli('The text of an answer', () => {
  it('streams without an option, also while the model has not finished', async () => {
    const held = gate();
    await using place = await stage([text(['It ', held, 'is ', '42.'])]);
    const answer = ask('go', place.options);
    const pieces: string[] = [];
    for await (const piece of answer.textStream()) {
      pieces.push(piece);
      held.open();
    }
    expect(pieces.join('')).toBe('It is 42.');
    expect(pieces.length).toBeGreaterThan(1);
    expect(await answer.text()).toBe('It is 42.');
  });

  it('is an error when the service refuses', async () => {
    await using place = await stage(() => apiError(400));
    const error: unknown = await ask('go', place.options)
      .text()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TurnError);
    expect(error).toMatchObject({ code: 'RESULT_ERROR', outcome: { kind: 'failed', cause: 'api', status: 400 } });
  });
});

withCli('The text of a turn', () => {
  it.each([true, false])('ends with that of the result (partialMessages: %s)', async (partialMessages) => {
    await using place = await stage([
      [text(['Let me ', 'see.']), toolUse('Bash', { command: 'echo hi' })],
      text(['It is ', '42.']),
    ]);
    await using session = await openSession({ ...place.options, ...bash, partialMessages });
    const turn = session.send('go');
    expect((await collect(turn.textStream())).join('')).toBe('Let me see.\n\nIt is 42.');
    expect(await turn.text()).toBe('It is 42.');
  });

  it('streams without an option while the model has not finished', async () => {
    const held = gate();
    // Joined for so long while they are not read: the agent knows that they are.
    const joining = { CLAUDE_CODE_STREAM_EVENT_NO_SUBSCRIBER_HOLD_MS: '600000' };
    await using place = await stage(() => text(['It ', 'is ', held, '42.']), joining);
    await using session = await openSession(place.options);
    const pieces: string[] = [];
    for await (const piece of session.send('go').textStream()) {
      pieces.push(piece);
      held.open();
    }
    expect(pieces.join('')).toBe('It is 42.');
    expect(pieces.length).toBeGreaterThan(1);
    const types = (await collect(session.send('go'))).map((message) =>
      'subtype' in message ? message.subtype : message.type,
    );
    expect(types).toEqual(['init', 'assistant', 'success']);
  });

  const broken: readonly (readonly [string, readonly TurnLike[]])[] = [
    ['the service breaks off', [text(['It is ', 'fo', errorEvent()]), 'It is 42.']],
    ['the connection breaks', [text(['It is ', 'fo', pause(200), cut()]), 'It is 42.']],
    ['another model answers', [...Array.from({ length: 4 }, () => text(['It is ', errorEvent()])), 'It is 42.']],
  ];
  it.each(broken)('is taken back where %s, and in snapshots visibly', async (_, turns) => {
    const options = { fallbackModel: 'claude-sonnet-4-5' };
    await using place = await stage([...turns, ...turns]);
    await using session = await openSession({ ...place.options, ...options });
    const read = session.send('go');
    await expect(collect(read.textStream())).rejects.toMatchObject({ code: 'TEXT_TAKEN_BACK' });
    expect(await read.text()).toBe('It is 42.');
    const answers = new Map<string, MessageSnapshot>();
    const all = await collect(session.send('go').snapshots());
    for (const snapshot of all) answers.set(snapshot.id, snapshot);
    expect(all.some(({ isTakenBack }) => isTakenBack)).toBe(true);
    expect([...answers.values()].map((each) => each.text).join('')).toBe('It is 42.');
  });
});

withCli('The snapshots of a turn', () => {
  it('have the input of a call as it grows', async () => {
    const held = gate();
    const command = `echo ${'x'.repeat(60)}`;
    await using place = await stage([[text(['Now ', held, 'this.']), toolUse('Bash', { command })], 'Done.']);
    await using session = await openSession({ ...place.options, ...bash });
    const texts: string[] = [];
    const inputs: unknown[] = [];
    for await (const { text, blocks } of session.send('go').snapshots()) {
      texts.push(text);
      for (const block of blocks) if (block.type === 'tool_use') inputs.push(block.input['command']);
      held.open();
    }
    expect(texts).toEqual(expect.arrayContaining(['Now ', 'Now this.', 'Done.']));
    expect(inputs.at(-1)).toBe(command);
    for (const input of inputs) expect(command).toContain(input ?? '');
  });
});
