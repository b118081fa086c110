import { describe, expect, it } from 'vitest';
import { finishTurn, obliging } from './behaviours.ts';
import { envOf, flagsOf, orderOf, stdinOf } from './comparable.ts';
import { compare, run, sides, type Program } from './run.ts';

const hello: Program = ({ query }, { options }) => query({ prompt: 'hello', options: { ...options, model: 'some' } });

describe('A comparison', () => {
  it('records the launch, what was written and what was yielded, alike for both packages', async () => {
    const { official, ours } = await compare(hello);
    for (const { launches, messages, thrown, hangs } of [official, ours]) {
      expect(launches).toHaveLength(1);
      expect(messages.map(({ type }) => type)).toEqual(['system', 'result']);
      expect({ thrown, hangs }).toEqual({ thrown: undefined, hangs: false });
    }
    const [[theirs], [our]] = [official.launches, ours.launches];
    if (theirs === undefined || our === undefined) throw new Error('Nothing was launched.');
    expect(flagsOf(our)).toEqual(flagsOf(theirs));
    expect(flagsOf(our)).toMatchObject({ model: ['some'], 'input-format': ['stream-json'], verbose: [true] });
    expect(stdinOf(our)).toEqual(stdinOf(theirs));
    expect(orderOf(our)).toEqual(['initialize', 'user']);
    expect(Object.keys(envOf(our)).toSorted()).toEqual(Object.keys(envOf(theirs)).toSorted());
  });

  it.each(sides)('records what %s throws when the agent fails', async (side) => {
    const { thrown } = await run(side, hello, { standIn: (agent) => agent.exit(3) });
    expect(thrown?.message).toMatch(/3/);
  });

  it('records what a program notes, and that it hangs', async () => {
    const program: Program = async (_, { note }) => {
      note('seen', 1);
      await new Promise(() => {});
    };
    expect(await run('ours', program, { boundMs: 50 })).toMatchObject({
      notes: { seen: 1 },
      hangs: true,
      launches: [],
    });
  });

  it('lets the stand-in depart from being obliging', async () => {
    const standIn = obliging({
      introduction: { output_style: 'terse' },
      message: (_, agent) => {
        finishTurn(agent, { result: 'changed' });
        return true;
      },
    });
    const program: Program = async ({ query }, { options, note }) => {
      const running = query({ prompt: 'hello', options });
      note('style', (await running.initializationResult()).output_style);
      for await (const message of running) if (message.type === 'result') note('result', message);
    };
    for (const side of ['official', 'ours'] as const)
      expect((await run(side, program, { standIn })).notes).toMatchObject({
        style: 'terse',
        result: { result: 'changed' },
      });
  });
});
