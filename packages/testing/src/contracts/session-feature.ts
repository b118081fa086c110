import { assert } from './assert.ts';
import type { AgentMessage, FeatureControl, SessionFeature } from '@hexagent/ports';
import { agentFrames } from '../doubles/agent-frames.ts';
import { limitedRunner } from './limited-runner.ts';
import type { Runner } from './runner.ts';

/** Makes a feature under test. What a feature leaves out, such as `receive`, is reported as skipped. */
export interface SessionFeatureFixture {
  /** Makes one for each conversation. */
  readonly createFeature: () => SessionFeature;
}

/** What every `SessionFeature` promises, whatever it is for. */
export function sessionFeatureContract(runner: Runner, fixture: SessionFeatureFixture): void {
  const { describe, it } = limitedRunner('sessionFeatureContract', runner, fixture);
  const sample = fixture.createFeature();
  describe('SessionFeature contract', () => {
    for (const [name, { needs, keep }] of Object.entries(promises)) {
      const isThere = needs.length === 0 || needs.some((member) => sample[member] !== undefined);
      (isThere ? it : it.skip)(name, () => keep(fixture));
    }
  });
}

interface FeaturePromise {
  /** The members of which one must be there. */
  readonly needs: readonly (keyof SessionFeature)[];
  readonly keep: (fixture: SessionFeatureFixture) => Promise<void>;
}

/** An agent that takes every request. */
const control: FeatureControl = {
  request: () => Promise.resolve({} as never), // what a newer or older agent may answer
  requestUntyped: async () => ({}),
  observe: () => {},
  warn: () => {},
};

const messages = [
  ...agentFrames.wholeTurn('00000000-0000-4000-8000-000000000001', 'é'),
  { type: 'of a newer agent', session_id: 's', uuid: 'u' },
  { type: 'system', subtype: 'of a newer agent', session_id: 's', uuid: 'u' },
] as readonly AgentMessage[]; // as the agent may send them

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

/** A whole conversation, from the start of the agent to its exit. */
async function converse(feature: SessionFeature, given: readonly AgentMessage[]): Promise<void> {
  feature.attach?.(control);
  feature.toolsListed?.(['Bash', 'Read']);
  for (const message of given) {
    await feature.receive?.(message, 100);
    feature.note?.(message);
  }
  await feature.exiting?.();
  await feature.close?.();
}

const promises: Readonly<Record<string, FeaturePromise>> = {
  'has a name, by which messages about it are understood': {
    needs: [],
    async keep({ createFeature }) {
      const { name } = createFeature();
      assert.ok(typeof name === 'string' && name.trim() !== '', `it is ${JSON.stringify(name)}`);
    },
  },

  'is another object for each conversation': {
    needs: [],
    async keep({ createFeature }) {
      assert.notEqual(createFeature(), createFeature());
    },
  },

  'has fields of `initialize` that JSON can carry, the same in each conversation': {
    needs: ['initialize'],
    async keep({ createFeature }) {
      const { initialize } = createFeature();
      assert.deepEqual(JSON.parse(JSON.stringify(initialize)), initialize);
      assert.deepEqual(createFeature().initialize, initialize);
    },
  },

  'has a function for each request that it answers': {
    needs: ['handlers', 'untypedHandlers'],
    async keep({ createFeature }) {
      const { handlers, untypedHandlers } = createFeature();
      const all = Object.entries({ ...handlers, ...untypedHandlers }).filter(([, handler]) => handler !== undefined);
      for (const [subtype, handler] of all) assert.equal(typeof handler, 'function', subtype);
    },
  },

  'reports whether it may be asked as `true` or `false`, before and after its conversation': {
    needs: ['mayBeAsked'],
    async keep({ createFeature }) {
      const feature = createFeature();
      const asked = [feature.mayBeAsked?.()];
      await converse(feature, structuredClone(messages));
      asked.push(feature.mayBeAsked?.());
      for (const answer of asked) assert.equal(typeof answer, 'boolean');
    },
  },

  'leaves messages as they are': {
    needs: ['receive', 'note'],
    async keep({ createFeature }) {
      const given = structuredClone(messages);
      await converse(createFeature(), given);
      assert.deepEqual(given, messages);
      await converse(createFeature(), frozen(given));
    },
  },

  'takes a conversation without any message': {
    needs: ['attach', 'receive', 'exiting', 'close'],
    async keep({ createFeature }) {
      await converse(createFeature(), []);
    },
  },

  'can be closed where the agent could not be started': {
    needs: ['close'],
    async keep({ createFeature }) {
      await createFeature().close?.();
    },
  },
};
