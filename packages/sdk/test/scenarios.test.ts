import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { allow, createSdk } from '@hexagent/sdk';
import { model, playScenario, turn } from '@hexagent/testing/scenarios';
import { describe, expect, it } from 'vitest';
import type { Scenario } from './scenarios/scenario.ts';
import { readRecording, recordingOf, toRecording } from './scenarios/recorded.ts';
import { scenarios } from './scenarios/table.ts';

const names = Object.keys(scenarios);

describe('With an agent in this process', () => {
  it.each(Object.entries(scenarios))('the same is seen as with the real CLI: %s', async (name, scenario) => {
    const seen = await playScenario(scenario, { depth: 'memory', createSdk });
    expect(JSON.parse(toRecording(seen))).toEqual(JSON.parse(readRecording(name)));
  });
});

describe('A scenario', () => {
  const turns = [turn('go', 'Done.')];
  const play = (more: object) => playScenario({ turns, shows: [], ...more }, { depth: 'memory', createSdk });

  it('fails where a text is not seen that it shows, with all that was seen', async () => {
    await expect(play({ shows: ['Done.', 'Never.'] })).rejects.toThrow(
      /Nothing shows "Never\."[^]*turn ended: completed/,
    );
  });

  it.each([
    ['while it is waited for', true],
    ['before', false],
  ])('fails where the session ends %s without a text that its program waits for', async (_when, isWaiting) => {
    const program: Scenario['program'] = async ({ session, until }) => {
      const waiting = isWaiting ? until('Never.') : undefined;
      await session.close();
      await (waiting ?? until('Never.'));
    };
    await expect(play({ program })).rejects.toThrow('The session ended, and nothing showed "Never."');
  });

  it('fails where the host is asked less often than it decides, or more often', async () => {
    await expect(play({ decides: [allow()] })).rejects.toThrow('was asked 1 times less');
    const call = model.call('Bash', { command: 'touch made' }, { asks: true });
    const asking = { turns: [turn('go', [call, call], 'Done.')] };
    await expect(play({ ...asking, decides: [allow()] })).rejects.toThrow('was asked for one more: call');
  });

  it('continues where its program waits for the end of a turn', async () => {
    const program: Scenario['program'] = async ({ session, says: [text = ''], until }) => {
      const ended = until('turn ended: completed');
      session.send(text);
      await ended;
    };
    await play({ program, shows: ['Done.'] });
  });

  it.each<readonly [string, object, string]>([
    ['a depth', { depth: 'processes' }, '`depth` must be one of "memory", "process", "cli", not "processes"'],
    ['an option', { form: import.meta.url }, '`form` is not known. Did you mean `from`?'],
  ])('fails for %s that there is not', async (_, wrong, message) => {
    const scenario = { turns, shows: [] };
    await expect(playScenario(scenario, { depth: 'memory', createSdk, ...wrong })).rejects.toThrow(message);
  });

  it.each<readonly [string, object, string]>([
    ['a misspelt name', { decide: [] }, '`decide` is not known. Did you mean `decides`?'],
    ['no list of what it shows', { shows: undefined }, '`shows` must be a list, not undefined'],
    ['a text that everything shows', { shows: [''] }, '`shows[0]` must be a string that is not empty'],
    ['another turn', { turns: ['go'] }, '`turns[0]` must be made by `turn()`, not a string'],
    ['another way to continue', { continues: { how: 'again', turns } }, '`continues.how` must be one of "resume"'],
    ['a departure without a reason', { departs: [{ about: 'x' }] }, '`departs[0].why` must be a string'],
  ])('fails with %s before anything starts', async (_, wrong, message) => {
    await expect(play(wrong)).rejects.toThrow(message);
  });

  // Each of them was waited for for ever.
  it.each<readonly [string, unknown, string]>([
    ['a number', 7, '`turns[0].happens[0]` must be a text, made by `model` or `agent`, or a list of parts'],
    ['a step of `reply`', { step: 'text', pieces: 'x' }, '`turns[0].happens[0]` must be a text, made by'],
    ['a text in an answer', ['x'], '`turns[0].happens[0][0]` must be a part of an answer, such as `model.text()`'],
    ['a wait in an answer', [model.wait], '`turns[0].happens[0][0]` must be a part of an answer'],
    ['another piece', model.text(['x', {} as never]), '`turns[0].happens[0].pieces[1]` must be a text or `model.wait`'],
    [
      'an option of a call',
      model.call('Bash', {}, { ask: true } as object),
      '`turns[0].happens[0].ask` is not known. Did you mean `turns[0].happens[0].asks`?',
    ],
  ])('fails with a step that cannot be: %s', async (_, step, message) => {
    await expect(play({ turns: [{ says: 'go', happens: [step] }] })).rejects.toThrow(message);
  });
});

describe('The scenarios', () => {
  it('are forty and more, each with its recording, and no recording is left over', () => {
    expect(names.length).toBeGreaterThanOrEqual(40);
    const recorded = readdirSync(dirname(recordingOf('any')));
    expect(recorded.toSorted()).toEqual(names.map((name) => basename(recordingOf(name))).toSorted());
  });
});
