import { SdkError } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { EnforcedPolicy, type PermissionRules, type PolicyMode, type RuleLists } from '../src/index.ts';
import { randomChoices } from './random-choices.ts';
import { featureControl } from './feature-control.ts';
import { policyOf, type PolicyOptions } from './policy-of.ts';

/** An agent that accepts or refuses a change when the test calls for it. */
class Agent {
  taken: RuleLists = { allow: [], deny: [], ask: [] };
  readonly #waiting: ((isTaken: boolean) => void)[] = [];

  readonly control = featureControl(
    (rules) =>
      new Promise((resolve, reject) => {
        this.#waiting.push((isTaken) => {
          if (isTaken) this.taken = rules;
          if (isTaken) resolve({});
          else reject(new SdkError('REQUEST_FAILED', 'No.'));
        });
      }),
  );

  /** Answers what it was asked; `undefined` where it was asked nothing. */
  async answer(isTaken: boolean): Promise<boolean | undefined> {
    await quiet();
    const answering = this.#waiting.shift();
    answering?.(isTaken);
    await quiet();
    return answering && isTaken;
  }
}

const quiet = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function attached(options: PolicyOptions = {}) {
  const agent = new Agent();
  const policy = policyOf(options);
  const enforced = new EnforcedPolicy(policy);
  enforced.feature.attach?.(agent.control);
  return { agent, policy, enforced };
}

interface Followed {
  outcome: 'open' | 'holds' | 'refused';
}

function followed(change: Promise<void>): Followed {
  const following: Followed = { outcome: 'open' };
  change.then(
    () => (following.outcome = 'holds'),
    () => (following.outcome = 'refused'),
  );
  return following;
}

describe('A change that is made again while the first is open', () => {
  const changes: readonly [string, (enforced: EnforcedPolicy) => Promise<void>][] = [
    ['a mode', (enforced) => enforced.setMode('deny')],
    ['a deny rule', (enforced) => enforced.add({ deny: ['Read'] })],
    ['an ask rule', (enforced) => enforced.add({ ask: ['Read'] })],
    ['an allow rule with content', (enforced) => enforced.add({ allow: ['Bash(ls *)'] })],
  ];

  it.each(changes)('waits for the agent, and holds once it has taken it: %s', async (_, change) => {
    const { agent, enforced } = attached();
    const [first, second] = [followed(change(enforced)), followed(change(enforced))];
    await quiet();
    expect([first.outcome, second.outcome]).toEqual(['open', 'open']);
    await agent.answer(true);
    expect([first.outcome, second.outcome]).toEqual(['holds', 'holds']);
  });

  it.each(changes)('is refused where the agent refuses both: %s', async (_, change) => {
    const { agent, enforced } = attached();
    const [first, second] = [followed(change(enforced)), followed(change(enforced))];
    await agent.answer(false);
    expect([first.outcome, second.outcome]).toEqual(['refused', 'open']);
    await agent.answer(false);
    expect(second.outcome).toBe('refused');
  });

  it.each(changes)('holds where the agent takes it the second time: %s', async (_, change) => {
    const { agent, enforced, policy } = attached();
    const [first, second] = [followed(change(enforced)), followed(change(enforced))];
    await agent.answer(false);
    await agent.answer(true);
    expect([first.outcome, second.outcome]).toEqual(['refused', 'holds']);
    const { allow, deny, ask } = policy.rules;
    const mode = policy.mode === 'deny' ? ['*'] : [];
    expect(agent.taken).toEqual({ allow, deny: [...deny, ...mode], ask });
    expect([...allow, ...deny, ...ask, ...mode]).toHaveLength(1);
  });
});

describe('Of changes that are open together', () => {
  it('the last mode counts at once, and one that the agent refuses takes back itself alone', async () => {
    const { agent, enforced, policy } = attached({ mode: 'deny' });
    await agent.answer(true);
    const lifted = followed(enforced.setMode('allow'));
    const added = followed(enforced.add({ allow: ['Read', 'Bash(ls *)'], deny: ['WebFetch'] }));
    expect(policy.mode).toBe('allow');
    await agent.answer(false);
    expect([lifted.outcome, policy.mode]).toEqual(['refused', 'deny']);
    expect(policy.rules).toEqual({ allow: ['Read', 'Bash(ls *)'], deny: ['WebFetch'], ask: [] });
    await agent.answer(true);
    expect(added.outcome).toBe('holds');
    expect(agent.taken).toEqual({ allow: ['Bash(ls *)'], deny: ['WebFetch', '*'], ask: [] });
  });

  it('a rule that is taken back stays away although its addition was refused before', async () => {
    const { agent, enforced, policy } = attached();
    const added = followed(enforced.add({ allow: ['Bash(ls *)'] }));
    const removed = followed(enforced.remove({ allow: ['Bash(ls *)'] }));
    await agent.answer(false);
    expect([added.outcome, removed.outcome, policy.rules.allow]).toEqual(['refused', 'holds', []]);
  });

  it('none is refused for what the agent has refused of another', async () => {
    const { agent, enforced, policy } = attached();
    const refused = followed(enforced.add({ deny: ['Read'] }));
    const bare = followed(enforced.add({ allow: ['WebFetch'] }));
    await agent.answer(false);
    expect([refused.outcome, bare.outcome]).toEqual(['refused', 'holds']);
    expect(policy.rules).toEqual({ allow: ['WebFetch'], deny: ['Read'], ask: [] });
  });

  it('each resolves with its own outcome, for any answers of the agent', async () => {
    for (let seed = 0; seed < 300; seed += 1) {
      const random = randomChoices(seed);
      const { agent, enforced, policy } = attached();
      const expected = new Expected();
      const made: { readonly change: Change; readonly following: Followed }[] = [];
      for (let step = 0; step < 12; step += 1) {
        const change: Change =
          random.below(3) === 0
            ? { mode: random.one(['ask', 'allow', 'deny'] as const) }
            : { add: { [random.one(['allow', 'deny', 'ask'] as const)]: [random.one(['Read', 'Bash(ls *)'])] } };
        const applied = 'mode' in change ? enforced.setMode(change.mode) : enforced.add(change.add);
        made.push({ change, following: followed(applied) });
        if (random.below(3) === 0) await agent.answer(random.below(2) === 0);
      }
      for (let round = 0; round < 13; round += 1) await agent.answer(random.below(2) === 0);
      expect(made.map(({ following }) => following.outcome)).not.toContain('open');
      for (const { change, following } of made) expected.follow(change, following.outcome);
      expect({ mode: policy.mode, rules: policy.rules }, `seed ${seed}`).toEqual(expected.state);
    }
  });
});

type Change = { readonly mode: PolicyMode } | { readonly add: PermissionRules };

/** What must hold in the end, by the outcome of each change. */
class Expected {
  #mode: PolicyMode = 'ask';
  readonly #rules = { allow: new Set<string>(), deny: new Set<string>(), ask: new Set<string>() };

  get state(): unknown {
    const { allow, deny, ask } = this.#rules;
    return {
      mode: this.#mode,
      rules: {
        allow: expect.toSatisfy((texts: readonly string[]) => isSameSet(texts, allow)),
        deny: expect.toSatisfy((texts: readonly string[]) => isSameSet(texts, deny)),
        ask: expect.toSatisfy((texts: readonly string[]) => isSameSet(texts, ask)),
      },
    };
  }

  follow(change: Change, outcome: string): void {
    const holds = outcome === 'holds';
    if ('mode' in change) {
      if (holds || change.mode === 'deny') this.#mode = change.mode;
      return;
    }
    for (const list of ['allow', 'deny', 'ask'] as const)
      if (holds || list !== 'allow') for (const text of change.add[list] ?? []) this.#rules[list].add(text);
  }
}

const isSameSet = (texts: readonly string[], set: ReadonlySet<string>): boolean =>
  texts.length === set.size && texts.every((text) => set.has(text));
