import { assert } from './assert.ts';
import type { Asker, PermissionAnswer, PermissionContext, PermissionGate, PermissionRequest } from '@hexagent/ports';
import { limitedRunner } from './limited-runner.ts';
import type { Runner } from './runner.ts';

/** What a gate of the suite is made of. */
export interface ContractGate {
  /** Decides what the rules leave open. */
  readonly approver?: Asker | undefined;
  /** Names of tools. */
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}

/** Makes a gate under test. */
export interface PermissionGateFixture {
  readonly createGate: (made: ContractGate) => PermissionGate;
  /** Whether it follows `allow` and `deny`, and denies without an approver. A gate that has no rules is not tested for them. */
  readonly hasRules: boolean;
}

/** What every `PermissionGate` promises. */
export function permissionGateContract(runner: Runner, fixture: PermissionGateFixture): void {
  const { describe, it } = limitedRunner('permissionGateContract', runner, fixture);
  describe('PermissionGate contract', () => {
    for (const [name, keep] of Object.entries(always)) it(name, () => keep(fixture));
    for (const [name, keep] of Object.entries(withRules)) (fixture.hasRules ? it : it.skip)(name, () => keep(fixture));
  });
}

type GatePromises = Readonly<Record<string, (fixture: PermissionGateFixture) => Promise<void>>>;

const request = (tool_name: string): PermissionRequest => ({
  tool_name,
  input: { path: 'a' },
  tool_use_id: `of ${tool_name}`,
});

function context(requestId = 'r'): PermissionContext {
  return { requestId, signal: new AbortController().signal };
}

const allowing: PermissionAnswer = { behavior: 'allow' };

/** Fails where a rule is to decide. */
function unasked(): never {
  assert.fail('the approver was asked');
}

const always: GatePromises = {
  async 'answers what the approver answers'({ createGate }) {
    const answers: readonly PermissionAnswer[] = [
      allowing,
      { behavior: 'allow', updatedInput: { path: 'b' } },
      { behavior: 'deny', message: 'Not today.' },
      { behavior: 'deny', message: 'Stop.', interrupt: true },
    ];
    for (const answer of answers) {
      const decided = await createGate({ approver: async () => answer }).decide(request('Write'), context());
      assert.deepEqual(decided, answer);
    }
  },

  async 'answers `null` where the approver does, as for a request that is answered elsewhere'({ createGate }) {
    assert.equal(await createGate({ approver: () => null }).decide(request('Write'), context()), null);
  },

  async 'gives the approver the request, its id, and a signal that aborts when the agent withdraws it'({ createGate }) {
    const withdrawing = new AbortController();
    const given: [PermissionRequest, string][] = [];
    const gate = createGate({
      approver: (asked, { requestId, signal }) => {
        given.push([structuredClone(asked), requestId]);
        return new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ behavior: 'deny', message: 'Withdrawn.' }));
        });
      },
    });
    const decided = gate.decide(request('Write'), { requestId: 'seven', signal: withdrawing.signal });
    await new Promise((resolve) => setImmediate(resolve));
    withdrawing.abort();
    assert.equal((await decided)?.behavior, 'deny');
    assert.deepEqual(given, [[request('Write'), 'seven']]);
  },

  async 'lets no call run whose approver fails'({ createGate }) {
    const failing: readonly Asker[] = [
      () => Promise.reject(new Error('No person is there.')),
      () => {
        throw new Error('No person is there.');
      },
    ];
    for (const approver of failing) {
      const decided = await createGate({ approver })
        .decide(request('Write'), context())
        .catch((error: unknown) => error);
      assert.ok(decided instanceof Error || (decided as PermissionAnswer).behavior === 'deny');
    }
  },

  async 'decides about several calls at once, each by its own answer'({ createGate }) {
    const settle = new Map<string, (answer: PermissionAnswer) => void>();
    const gate = createGate({
      approver: ({ tool_name }) => new Promise((resolve) => settle.set(tool_name, resolve)),
    });
    const [one, two] = [gate.decide(request('One'), context('1')), gate.decide(request('Two'), context('2'))];
    while (settle.size < 2) await new Promise((resolve) => setImmediate(resolve));
    settle.get('Two')?.({ behavior: 'deny', message: 'Two.' });
    assert.equal((await two)?.behavior, 'deny');
    settle.get('One')?.(allowing);
    assert.equal((await one)?.behavior, 'allow');
  },

  async 'leaves the request as it is'({ createGate }) {
    const asked = request('Write');
    await createGate({ approver: () => allowing }).decide(asked, context());
    assert.deepEqual(asked, request('Write'));
  },
};

const withRules: GatePromises = {
  async 'allows what an allow rule names, without asking'({ createGate }) {
    const gate = createGate({ allow: ['Read'], approver: unasked });
    assert.deepEqual(await gate.decide(request('Read'), context()), allowing);
  },

  async 'denies what a deny rule names, without asking, also where an allow rule names it'({ createGate }) {
    for (const allow of [[], ['Write']]) {
      const decided = await createGate({ allow, deny: ['Write'], approver: unasked }).decide(
        request('Write'),
        context(),
      );
      assert.ok(decided?.behavior === 'deny' && decided.message !== '', 'it was not denied with a reason');
    }
  },

  async 'asks about what no rule names'({ createGate }) {
    const asked: string[] = [];
    const gate = createGate({
      allow: ['Read'],
      deny: ['Write'],
      approver: ({ tool_name }) => {
        asked.push(tool_name);
        return allowing;
      },
    });
    for (const tool of ['Edit', 'read', 'Read2']) await gate.decide(request(tool), context());
    assert.deepEqual(asked, ['Edit', 'read', 'Read2']);
  },

  async 'denies what no rule names where there is no approver, with a reason for the model'({ createGate }) {
    const decided = await createGate({ allow: ['Read'] }).decide(request('Write'), context());
    assert.ok(decided?.behavior === 'deny' && decided.message.includes('Write'), JSON.stringify(decided));
  },
};
