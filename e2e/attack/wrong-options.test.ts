import { createSdk, openSession, SdkError, type SessionOptions } from '@hexagent/sdk';
import { linkedTransport, scriptedAgent, type LinkedAgent } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import { wrongInputs, wrongOptions, wrongParts, wrongWholes } from './wrong-options.ts';

/** What comes of it: the error's kind and words, or that there was none. */
async function outcomeOf(act: () => unknown): Promise<string> {
  try {
    await act();
    return 'accepted';
  } catch (error) {
    if (error instanceof TypeError || SdkError.is(error)) return `refused: ${error.message}`;
    return `raw: ${String(error)}`;
  }
}

/** What is wrong with the refusals of some values; empty when each is refused by name and no agent was started. */
async function complaints<T extends { readonly name: string; make(): unknown }>(
  wrongs: readonly T[],
  place: (wrong: T) => RegExp,
  act: (wrong: T, agent: LinkedAgent, sdk: ReturnType<typeof createSdk>) => unknown,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const wrong of wrongs) {
    const { transport, agent } = linkedTransport(scriptedAgent());
    const outcome = await outcomeOf(() => act(wrong, agent, createSdk({ transport })));
    const isNamed = place(wrong).test(outcome) && !outcome.includes('sk-secret');
    if (!isNamed || agent.launch !== undefined) found.push(`${wrong.name}: ${outcome}`);
  }
  return found;
}

const byOption = Object.entries(Object.groupBy(wrongOptions, ({ option }) => option));
const byPart = Object.entries(Object.groupBy(wrongParts, ({ option }) => option));

describe('A wrong value', () => {
  it.each(byOption)('of the option %s is refused by name before anything is started', async (option, wrongs = []) => {
    expect(wrongs.length).toBeGreaterThan(12);
    const named = new RegExp(`^refused: .*\\b${option}\\b`, 's');
    const opened = complaints(
      wrongs,
      () => named,
      ({ make }, _, sdk) => sdk.openSession({ [option]: make() }), // wrong on purpose
    );
    expect(await opened).toEqual([]);
    const asked = complaints(
      wrongs,
      () => named,
      ({ make }, _, sdk) => sdk.ask('hello', { [option]: make() }), // wrong on purpose
    );
    expect(await asked).toEqual([]);
  });

  it.each(byPart)('of the part %s is refused by name', async (part, wrongs = []) => {
    const found = complaints(
      wrongs,
      () => new RegExp(`^refused: .*\\b${part}\\b`),
      ({ make }) => createSdk({ [part]: make() }),
    );
    expect(await found).toEqual([]);
  });

  it('in place of all options, or of all parts, is refused as that', async () => {
    const called =
      (name: string): (() => RegExp) =>
      () =>
        new RegExp(`^refused: (?:.*\`${name}\`|.*is not known)`);
    const whole = (make: () => unknown): SessionOptions => make() as SessionOptions; // wrong on purpose
    expect(
      await complaints(wrongWholes, called('options'), ({ make }, _, sdk) => sdk.openSession(whole(make))),
    ).toEqual([]);
    expect(await complaints(wrongWholes, called('options'), ({ make }, _, sdk) => sdk.ask('hi', whole(make)))).toEqual(
      [],
    );
    expect(await complaints(wrongWholes, called('parts'), ({ make }) => createSdk(make() as object))).toEqual([]);
  });

  it('in place of a message is refused at once, and the session continues', async () => {
    const { transport } = linkedTransport(scriptedAgent({ turns: () => 'hello' }));
    await using session = await openSession({ transport });
    const input = (make: () => unknown): string => make() as string; // wrong on purpose
    const named = (): RegExp => /^refused: `(?:prompt|input)\b/;
    expect(await complaints(wrongInputs, named, ({ make }) => session.send(input(make)))).toEqual([]);
    expect(await complaints(wrongInputs, named, ({ make }, _, sdk) => sdk.ask(input(make)))).toEqual([]);
    expect(await session.send('hi').result).toMatchObject({ kind: 'completed', text: 'hello' });
  });

  it('in a request to the agent is refused by name', async () => {
    const { transport } = linkedTransport(scriptedAgent());
    await using session = await openSession({ transport });
    const odd = wrongInputs.map(({ make }) => make());
    const requests: readonly (readonly [string, (value: never) => unknown])[] = [
      ['model', (value) => session.setModel(value)],
      ['mode', (value) => session.setPermissionMode(value)],
      ['tokens', (value) => session.setMaxThinkingTokens(value)],
      ['hasSubscribers', (value) => session.setHasSubscribers(value)],
      ['file', (value) => session.saveSettings(value, {})],
      ['taskId', (value) => session.stopTask(value)],
      ['taskId', (value) => session.taskOutput(value)],
      ['toolUseId', (value) => session.moveToBackground(value)],
      ['path', (value) => session.readFile(value)],
      ['options\\.maxBytes', (value) => session.readFile('a.txt', { maxBytes: value })],
      ['mtimeMs', (value) => session.markAsRead('a.txt', value)],
      ['directory', (value) => session.registerRepoRoot(value)],
      ['options\\.addPlugins', (value) => session.reloadPlugins({ addPlugins: value })],
      ['options\\.persist', (value) => session.generateTitle('a', { persist: value })],
      ['options', (value) => session.contextUsage(value)],
      ['subtype', (value) => session.requestUntyped(value)],
      ['subtype', (value) => (session.request as typeof session.requestUntyped)(value)],
      ['options', (value) => session.request('mcp_status', {}, value)],
      ['options\\.timeoutMs', (value) => session.models({ timeoutMs: value })],
      ['options\\.signal', (value) => session.request('mcp_status', {}, { signal: value })],
    ];
    for (const [place, act] of requests) {
      const outcomes = await Promise.all(odd.map((value) => outcomeOf(() => act(value as never)))); // wrong on purpose
      const fine = outcomes.filter((outcome) => outcome.startsWith('refused: ') && new RegExp(place).test(outcome));
      // Only an empty object of options, a delay that never ends and half a millisecond may be meant.
      expect(outcomes.length - fine.length, `${place}: ${outcomes.join('\n')}`).toBeLessThan(3);
      expect(outcomes.filter((outcome) => outcome.startsWith('raw'))).toEqual([]);
    }
  });
});
