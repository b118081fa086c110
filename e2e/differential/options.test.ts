import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Options } from '@anthropic-ai/claude-agent-sdk';
import { oddValues, show, values } from './odd-values.ts';
import { judge, type Judged } from './verdict.ts';
import { wantedDifferences } from './wanted-differences.ts';

const isEmpty = (value: unknown): boolean => !value || ['[]', '[""]', '{}'].includes(show(value));

/** What need not be written down: an empty value that is left out, a value of another type, an option to come. */
function isExpected(value: unknown, isOdd: boolean, { verdict, how }: Judged): boolean {
  if (verdict === 'left out') return isEmpty(value);
  // An empty value asks for nothing, so it is refused with a reason only.
  if (verdict === 'refused') return isOdd ? Boolean(value) : how.includes('is not supported yet');
  return verdict === 'same';
}

let running: Promise<unknown>[] = [];

/** More processes at a time than that only make each other late. */
async function oneOfFew<T>(task: () => Promise<T>): Promise<T> {
  while (running.length >= 4) await Promise.race(running);
  const started = task();
  const done = started.then(
    () => void (running = running.filter((other) => other !== done)),
    () => void (running = running.filter((other) => other !== done)),
  );
  running.push(done);
  return await started;
}

async function differencesOf(option: string): Promise<Readonly<Record<string, string>>> {
  const cases = [
    ...oddValues.map((value) => ({ value, isOdd: true })),
    ...(values[option as keyof typeof values] ?? []).map((value) => ({ value, isOdd: false })),
  ];
  const judged = await Promise.all(
    cases.map(async (tried) => ({ ...tried, ...(await oneOfFew(() => judge(option, tried.value))) })),
  );
  return Object.fromEntries(
    judged
      .filter(({ value, isOdd, ...judgement }) => !isExpected(value, isOdd, judgement))
      .map(({ value, verdict, how }) => [show(value), `${verdict}: ${how}`]),
  );
}

describe('Every option but the path of the CLI', () => {
  it('is compared', () => {
    expectTypeOf<keyof typeof values>().toEqualTypeOf<Exclude<keyof Options, 'pathToClaudeCodeExecutable'>>();
  });

  it.each(Object.keys(values))(
    'reaches the agent as officially, whatever its value, but for what is written down: %s',
    async (option) => {
      const found = await differencesOf(option);
      const wanted = (wantedDifferences[option] ?? []).flatMap((difference) => difference.values);
      const unwritten = Object.entries(found).filter(([value]) => !wanted.includes(value));
      expect(Object.fromEntries(unwritten)).toEqual({});
      expect(wanted.filter((value) => !(value in found))).toEqual([]);
    },
  );
});
