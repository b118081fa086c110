import { randomUUID } from 'node:crypto';
import { toLaunch } from '@hexagent/cli-launch';
import { wireParser } from '@hexagent/parser';
import type { Parts } from '@hexagent/sdk';
import type { Act } from './odd-behaviours.ts';

/** A part of which one function acts on its first calls, or later ones, and works otherwise. */
type Odd = (act: Act) => Parts;

/** The calls from `first` on act, three of them: a part that never works ends nothing but its own conversation. */
function some<Args extends readonly unknown[], Result>(
  act: Act,
  real: (...args: Args) => Result,
  first: number,
): (...args: Args) => Result {
  let calls = 0;
  return (...args) => {
    calls += 1;
    return calls > first && calls <= first + 3 ? act() : real(...args);
  };
}

/** The clock of a program that is in a hurry, so that the deadlines of a broken conversation pass. */
const clock = {
  now: () => performance.now() * 2000,
  after(ms: number, callback: () => void) {
    const timer = setTimeout(callback, ms / 2000);
    return () => clearTimeout(timer);
  },
};

const ids = { request: (): string => randomUUID(), uuid: (): string => randomUUID() };

const parser = (act: Act, method: 'parse' | 'stringify', first: number): Parts => {
  const parse = (...given: Parameters<typeof wireParser.parse>) => wireParser.parse(...given);
  const stringify = (frame: Parameters<typeof wireParser.stringify>[0]) => wireParser.stringify(frame);
  const odd = method === 'parse' ? { parse: some(act, parse, first) } : { stringify: some(act, stringify, first) };
  return { clock, parser: { parse, stringify, ...odd } };
};

/** Parts of an SDK, by the function that is odd, and when it is first. */
export const oddParts: Readonly<Record<string, Odd>> = {
  'parser, parse': (act) => parser(act, 'parse', 0),
  'parser, parse, later': (act) => parser(act, 'parse', 1),
  'parser, stringify': (act) => parser(act, 'stringify', 0),
  'parser, stringify, later': (act) => parser(act, 'stringify', 1),
  'ids, request': (act) => ({ clock, ids: { ...ids, request: some(act, ids.request, 0) } }),
  'ids, uuid': (act) => ({ clock, ids: { ...ids, uuid: some(act, ids.uuid, 0) } }),
  launcher: (act) => ({ clock, launcher: some(act, toLaunch, 0) }),
  'protocol, open': (act) => ({ clock, protocol: { open: () => act() } }),
};
