import { setTimeout as delay } from 'node:timers/promises';
import { createSdk, SdkError, type SessionOptions } from '@hexagent/sdk';
import { createQuery, type Options } from '@hexagent/sdk/claude-agent-sdk';
import { linkedTransport, scriptedAgent, type LinkedTransport } from '@hexagent/testing';
import { Chance } from '../support/chance.ts';
import { odd } from './wrong-values.ts';
import { officialOptions } from './official-options.ts';
import type { Finding } from './invariants.ts';
import type { SeedOptions } from './run-seed.ts';
import { wrongOptions, wrongParts } from './wrong-options.ts';

/** How long anything may take with an agent in this process. */
const boundMs = 10_000;

/** Passes wrong values to a face, and finds what was not refused by name, or not in time. */
export async function runOptions(seed: number, { escaped }: SeedOptions): Promise<Finding> {
  const chance = new Chance(seed);
  const escapedBefore = escaped.length;
  const attempt = chance.oneOf([wrongOption, wrongOption, wrongPart, officialOption, officialOption]);
  const complaint = await Promise.race([attempt(chance), delay(boundMs, 'hangs', { ref: false })]);
  await delay(0);
  return { violations: [...(complaint === undefined ? [] : [complaint]), ...escaped.slice(escapedBefore)] };
}

/** Options that are right, so that a wrong one is not alone. */
const right: SessionOptions = { maxTurns: 3, persist: false, settings: 'none', effort: 'low', partialMessages: true };

const linked = (): LinkedTransport => linkedTransport(scriptedAgent({ turns: () => 'hello' }));

async function wrongOption(chance: Chance): Promise<string | undefined> {
  const wrong = chance.oneOf(wrongOptions);
  const { transport, agent } = linked();
  const sdk = createSdk({ transport });
  const options = { ...(chance.percent(50) && right), [wrong.option]: wrong.make() };
  const face = chance.oneOf(['openSession', 'ask'] as const);
  const what = `${face} with ${wrong.option} of ${wrong.name}`;
  const outcome = await outcomeOf(async () => {
    if (face === 'openSession') await (await sdk.openSession(options)).close();
    else await sdk.ask('hello', options).outcome;
  });
  if (agent.launch !== undefined) return `${what}: an agent was started`;
  return isNamed(outcome, [wrong.option]) ? undefined : `${what}: ${describe(outcome)}`;
}

async function wrongPart(chance: Chance): Promise<string | undefined> {
  const wrong = chance.oneOf(wrongParts);
  const outcome = await outcomeOf(async () => void createSdk({ [wrong.option]: wrong.make() }));
  return isNamed(outcome, [wrong.option]) ? undefined : `part ${wrong.option} of ${wrong.name}: ${describe(outcome)}`;
}

/** With any of these a program of the system would be started, or looked for. */
const naming: ReadonlySet<string> = new Set(['executable', 'executableArgs', 'pathToClaudeCodeExecutable', 'stderr']);
const harmless = officialOptions.filter((name) => !naming.has(name));

/** What an object of the program throws when it is read reaches the program as it is. */
const unreadable = new Set(['endlessList', 'lengthlessList', 'throwingGetter', 'throwingProxy', 'revokedProxy']);
const readable = Object.keys(odd).filter((kind) => !unreadable.has(kind));

/** The drop-in accepts much; what it does not accept it refuses by name. */
async function officialOption(chance: Chance): Promise<string | undefined> {
  const { transport } = linked();
  const names = chance.list(1, 2, () => chance.oneOf(harmless));
  const kinds = names.map(() => chance.oneOf(readable));
  const values = kinds.map((kind) => Object.entries(odd).find(([name]) => name === kind)?.[1]());
  // Wrong on purpose.
  const options = Object.fromEntries(names.map((name, index) => [name, values[index]])) as Options;
  const outcome = await outcomeOf(async () => {
    for await (const _ of createQuery({ transport, onWarning: () => {} })({ prompt: 'hello', options }));
  });
  if (outcome === 'accepted' || isNamed(outcome, names)) return undefined;
  return `query with ${names.map((name, index) => `${name} of ${kinds[index]}`).join(' and ')}: ${describe(outcome)}`;
}

type Refusal = 'accepted' | { readonly error: unknown };

async function outcomeOf(act: () => Promise<void>): Promise<Refusal> {
  try {
    await act();
    return 'accepted';
  } catch (error) {
    return { error };
  }
}

function isNamed(outcome: Refusal, names: readonly string[]): boolean {
  if (outcome === 'accepted') return false;
  const { error } = outcome;
  if (!(error instanceof TypeError) && !SdkError.is(error)) return false;
  return names.some((name) => error.message.includes(name)) && !error.message.includes('sk-secret');
}

function describe(outcome: Refusal): string {
  if (outcome === 'accepted') return 'it was accepted';
  const { error } = outcome;
  return error instanceof Error ? (error.stack ?? error.message) : `threw ${typeof error}`;
}
