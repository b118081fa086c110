import { describe, expect, it } from 'vitest';
import { newAccount, type Account, type AgentEvent } from './account.ts';
import { violations, type Leftovers } from './invariants.ts';
import { makePlan, type DecisionKind } from './plan.ts';
import { writtenMessages } from './run-seed.ts';

const nothingLeft = { processes: [], files: [], listeners: [], handles: [] };

interface Run {
  readonly account: Account;
  readonly isBenign: boolean;
  readonly log: AgentEvent[];
  readonly ran: string[];
  readonly escaped: string[];
  leftovers: Leftovers;
}

/** A run in which an agent wrote three messages and asked twice, and in which nothing went wrong. */
function clean(): Run {
  const account = newAccount();
  account.read.set('0 turn 0', ['1', '3']);
  account.read.set('1 messages', ['2']);
  account.decided.set('echo t1', 'allow').set('echo t2', 'deny');
  account.begun.add('1 finish').add('2 result of turn 0');
  account.settled.set('1 finish', { value: { code: 0 } });
  account.settled.set('2 result of turn 0', { value: { kind: 'completed' } });
  const written = [1, 2, 3].flatMap((n) => ['writing', 'wrote'].map((on) => ({ on, n })));
  const answers = [
    { on: 'asking', id: 'a1', key: 't1', what: 'permission' },
    { on: 'answered', id: 'a1', response: { response: { behavior: 'allow' } } },
    { on: 'asking', id: 'a2', key: 't2', what: 'permission' },
    { on: 'answered', id: 'a2', response: { response: { behavior: 'deny' } } },
  ];
  return { account, log: [...written, ...answers], isBenign: true, leftovers: nothingLeft, ran: [], escaped: [] };
}

function check(spoil: (run: Run) => unknown): readonly string[] {
  const run = clean();
  spoil(run);
  const { isBenign, ...evidence } = run;
  const plan = { ...makePlan(1), isBenign, face: 'native' as const };
  return violations({ ...evidence, plan, written: writtenMessages(run.log) });
}

const fails = (account: Account, error: unknown): unknown => account.settled.set('2 result of turn 0', { error });

/** One violation of each kind, and what the checker has to say about it. */
const planted: readonly (readonly [what: string, spoil: (run: Run) => unknown, finding: string])[] = [
  ['a lost message', ({ account }) => account.read.set('1 messages', []), 'lost: 2'],
  [
    'a message out of order',
    ({ account }) => account.read.set('0 turn 0', ['3', '1']),
    'got messages out of order or twice',
  ],
  ['a message twice', ({ account }) => account.read.set('0 turn 0', ['1', '1', '3']), 'out of order or twice'],
  ['a message at two readers', ({ account }) => account.read.set('2 turns', ['3']), 'a message reached two readers'],
  ['a message that was never written', ({ account }) => account.read.set('2 turns', ['9']), 'never written: 9'],
  [
    'two answers to one request',
    ({ log }) => log.push({ on: 'answered', id: 'a1', response: {} }),
    'a1 was answered 2 times',
  ],
  ['an answer to nobody', ({ log }) => log.push({ on: 'answered', id: 'a9', response: {} }), 'a9 was answered'],
  ['no answer', ({ log }) => log.push({ on: 'unanswered', id: 'a2', what: 'permission' }), 'was never answered'],
  [
    'an allow that was a deny',
    ({ log }) => log.splice(-1, 1, { on: 'answered', id: 'a2', response: { response: { behavior: 'allow' } } }),
    'a2 was allowed',
  ],
  ...(['deny', 'throw', 'reject', 'nothing', 'a text', 'a wrong word', 'never', 'elsewhere'] as const).map(
    (kind: DecisionKind) =>
      [
        `an allow after the callback did: ${kind}`,
        ({ account }: Run) => account.decided.set('echo t1', kind),
        'a1 was allowed',
      ] as const,
  ),
  ['a tool that ran unasked', ({ ran }) => ran.push('touch x'), 'ran although it was not allowed: touch x'],
  ['a promise that never settles', ({ account }) => account.hung.push('3 idle'), 'never settled: 3 idle'],
  ['an unhandled rejection', ({ escaped }) => escaped.push('unhandled rejection: x'), 'escaped: unhandled rejection'],
  ['a raw error', ({ account }) => fails(account, new TypeError('x.map is not a function')), 'a raw error'],
  ['something thrown that is no error', ({ account }) => fails(account, 'text'), 'a raw error'],
  ['a failure without a fault', ({ account }) => fails(account, new Error('gone')), 'failed: Error: gone'],
  ['a frame that is none', ({ log }) => log.push({ on: 'bad input' }), 'sent what is no frame'],
  ...(['processes', 'files', 'listeners', 'handles'] as const).map(
    (kind) =>
      [`of ${kind} one left`, (run: Run) => (run.leftovers = { ...nothingLeft, [kind]: ['x'] }), 'left: x'] as const,
  ),
];

describe('The checker of the attack', () => {
  it('finds nothing where nothing went wrong', () => {
    expect(check(() => {})).toEqual([]);
  });

  it.each(planted)('finds %s', (_, spoil, finding) => {
    expect(check(spoil)).toContainEqual(expect.stringContaining(finding));
  });

  it('does not count as lost what a program did not read on for, nor what was not written whole', () => {
    expect(
      check(({ account, log }) => {
        account.read.set('1 messages', []);
        account.isCut = true;
        log.push({ on: 'writing', n: 4 });
      }),
    ).toEqual([]);
    expect(check(({ log }) => log.push({ on: 'writing', n: 4 }))).toEqual([]);
  });

  it('does not count as lost what became one with a line that was not ended', () => {
    const unended = (log: AgentEvent[]): void => {
      log.push({ on: 'wrote', bytes: 5, how: 'unended' }, { on: 'writing', n: 4 }, { on: 'wrote', n: 4 });
    };
    expect(check(({ log }) => unended(log))).toEqual([]);
    const after = ({ log }: Run): unknown => {
      unended(log);
      return log.push({ on: 'writing', n: 5 }, { on: 'wrote', n: 5 });
    };
    expect(check(after)).toContainEqual(expect.stringContaining('lost: 5'));
  });

  it('counts as lost what came before a line that is too long, and nothing after it', () => {
    const log = [1, 2, 3].flatMap((n) => [
      { on: 'writing', n },
      { on: 'wrote', n, bytes: n === 2 ? 100 : 5 },
    ]);
    expect(writtenMessages(log, 99)).toEqual({ whole: ['1'], begun: ['1', '2', '3'] });
    expect(writtenMessages(log, 100).whole).toEqual(['1', '2', '3']);
    const joined = [{ on: 'wrote', bytes: 60, how: 'unended' }, ...log];
    expect(writtenMessages(joined, 64).whole).toEqual([]);
    expect(writtenMessages(joined, 65).whole).toEqual([]);
    expect(writtenMessages(joined, 100).whole).toEqual(['2', '3']);
  });

  it('makes the same plan of the same seed, and others of others', () => {
    expect(makePlan(7)).toEqual(makePlan(7));
    expect(new Set(Array.from({ length: 100 }, (_, seed) => JSON.stringify(makePlan(seed)))).size).toBe(100);
  });
});
