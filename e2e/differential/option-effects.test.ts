import type { Options } from '@anthropic-ai/claude-agent-sdk';
import { expect, it, onTestFailed } from 'vitest';
import { withCli } from '../support/cli.ts';
import { answered, type Conversation, type Effect } from './effects.ts';
import { effects } from './listed-effects.ts';
import { runReal, type RealRecord } from './real.ts';
import type { Program, Side } from './sdks.ts';

const optionsOf = ({ options }: Effect, folder: string): Options =>
  typeof options === 'function' ? options(folder) : options;

function lead(side: Side, conversation: Conversation, given: readonly Effect[]): Promise<RealRecord> {
  const { beside, prepare, prompt = 'go', script } = conversation;
  const program: Program = ({ query }, { options: place, cwd }) => {
    prepare?.(cwd);
    const own = given.map((effect) => optionsOf(effect, cwd));
    return query({ prompt, options: Object.assign({ ...place, ...beside }, ...own) as Options });
  };
  return runReal(side, program, script);
}

interface Led {
  readonly official: RealRecord;
  readonly ours: RealRecord;
}

const led = new Map<Conversation | Effect, Promise<Led>>();
const ledWithout = new Map<Conversation, Promise<RealRecord>>();

/** The conversation of an effect, led once for all that is seen in it. */
function ledWith(effect: Effect): Promise<Led> {
  const { conversation } = effect;
  const all = effects.filter((other) => other.conversation === conversation);
  const [key, given] = conversation.together ? [conversation, all] : [effect, [effect]];
  const both = async (): Promise<Led> => {
    const records = [lead('official', conversation, given), lead('ours', conversation, given)] as const;
    const [official, ours] = await Promise.all(records);
    return { official, ours };
  };
  const known = led.get(key) ?? both();
  led.set(key, known);
  return known;
}

/** The same without any of the options. */
function ledWithoutIt(conversation: Conversation): Promise<RealRecord> {
  const known = ledWithout.get(conversation) ?? lead('ours', conversation, []);
  ledWithout.set(conversation, known);
  return known;
}

withCli('An option with the real CLI', () => {
  it.each(effects)('$option $does, with both packages', async (effect) => {
    // A second try leads it again.
    onTestFailed(() => {
      led.clear();
      ledWithout.clear();
    });
    const { seen, expected, without, conversation } = effect;
    const { official, ours } = await ledWith(effect);
    expect([ours.thrown?.message, seen(ours)]).toEqual([undefined, expected]);
    expect([official.thrown?.message, seen(official)]).toEqual([undefined, expected]);
    expect(seen(await ledWithoutIt(conversation))).toEqual(without);
    expect(answered(ours).length).toBe(answered(official).length);
  });
});
