import { assert } from './assert.ts';
import type { AgentOpener, AgentRequest, ConversationEvent, HostedAgent } from '@hexagent/ports';
import { hasCode } from './has-code.ts';
import { limitedRunner } from './limited-runner.ts';
import { track } from './matching.ts';
import type { Runner } from './runner.ts';

/** Opens agents under test. */
export interface AgentOpenerFixture {
  /** Opens agents that answer each message with `answered`, or with nothing for ever where the message is `wait`. */
  readonly createOpener: () => AgentOpener;
  /** Whether the agents have `suspend()`. */
  readonly canSuspend: boolean;
}

/** What every `AgentOpener` promises, and the agents that it opens. */
export function agentOpenerContract(runner: Runner, fixture: AgentOpenerFixture): void {
  const { describe, it } = limitedRunner('agentOpenerContract', runner, fixture);
  const run = (all: OpenerPromises) => (): void => {
    for (const [name, keep] of Object.entries(all)) it(name, () => keep(fixture));
  };
  describe('AgentOpener contract', () => {
    describe('Opening', run(opening));
    describe('An agent', run(working));
    describe('Its end', () => {
      run(ending)();
      for (const [name, keep] of Object.entries(suspending))
        (fixture.canSuspend ? it : it.skip)(name, () => keep(fixture));
    });
  });
}

type OpenerPromises = Readonly<Record<string, (fixture: AgentOpenerFixture) => Promise<void>>>;

const id = '11111111-2222-4333-8444-555555555555';
const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

function requestOf(options: Partial<AgentRequest['options']> = { sessionId: id }): AgentRequest {
  const signal = new AbortController().signal;
  return { session: 'a', tenant: undefined, facts: {}, fence: 1, options: { signal, ...options } };
}

/** Calls `body` with an agent, and everything that it reports; ends it in any case. */
async function withAgent(
  { createOpener }: AgentOpenerFixture,
  body: (agent: HostedAgent, events: readonly ConversationEvent[]) => Promise<void>,
  request: AgentRequest = requestOf(),
): Promise<void> {
  const agent = await createOpener()(request);
  const events: ConversationEvent[] = [];
  const reading = (async () => {
    for await (const event of agent.events()) events.push(event);
  })();
  try {
    await body(agent, events);
  } finally {
    await agent.close();
    await reading;
  }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve)); // the suite has a limit
}

/** Lets what is ready happen. */
async function rounds(count: number): Promise<void> {
  for (let round = 0; round < count; round += 1) await new Promise((resolve) => setImmediate(resolve));
}

const has =
  (events: readonly ConversationEvent[], kind: ConversationEvent['kind']): (() => boolean) =>
  () =>
    events.some((event) => event.kind === kind);

const opening: OpenerPromises = {
  async 'opens the session that it is given, new or resumed'(fixture) {
    for (const options of [{ sessionId: id }, { resume: id }])
      await withAgent(fixture, async ({ sessionId }) => assert.equal(sessionId, id), requestOf(options));
  },

  async 'rejects with an AbortError where the agent is not needed any more'({ createOpener }) {
    const aborted = requestOf({ sessionId: id, signal: AbortSignal.abort() });
    await assert.rejects(createOpener()(aborted), { name: 'AbortError' });
  },

  async 'opens agents that start up'(fixture) {
    await withAgent(fixture, async ({ ready }) => void (await ready));
  },
};

const working: OpenerPromises = {
  async 'reports what happens in one order, each turn by the uuid of its message'(fixture) {
    await withAgent(fixture, async (agent, events) => {
      for (const number of [1, 2]) {
        agent.send({ content: 'go', uuid: uuid(number) });
        await until(() => events.filter(({ kind }) => kind === 'turn_ended').length === number);
      }
      const kinds = ['turn_sent', 'turn_started', 'turn_ended'] as const;
      const turns = events.flatMap((event) =>
        kinds.some((kind) => kind === event.kind) && 'turn' in event ? [[event.kind, event.turn]] : [],
      );
      assert.deepEqual(
        turns,
        [1, 2].flatMap((number) => kinds.map((kind) => [kind, uuid(number)])),
      );
      assert.deepEqual(
        events.map(({ seq }) => seq),
        events.map(({ seq }) => seq).toSorted((first, second) => first - second),
      );
    });
  },

  async 'answers with an outcome and the messages before it'(fixture) {
    await withAgent(fixture, async (agent, events) => {
      agent.send({ content: 'go', uuid: uuid(1) });
      await until(has(events, 'turn_ended'));
      const [ended] = events.filter((event) => event.kind === 'turn_ended');
      assert.ok(ended?.outcome.kind === 'completed' && ended.outcome.text === 'answered', JSON.stringify(ended));
      const results = events.findIndex((event) => event.kind === 'message' && event.message.type === 'result');
      assert.ok(results !== -1 && results < events.findIndex(({ kind }) => kind === 'turn_ended'));
    });
  },

  async 'resolves `idle()` when nothing is alive, and not before'(fixture) {
    await withAgent(fixture, async (agent, events) => {
      agent.send({ content: 'wait', uuid: uuid(1) });
      await until(has(events, 'turn_started'));
      const idle = track(agent.idle().catch(() => {}));
      await rounds(20);
      assert.equal(idle.settled, false);
      await agent.interrupt();
      await until(() => idle.settled);
    });
  },

  async 'stops the turn that runs, and reports where there is none'(fixture) {
    await withAgent(fixture, async (agent, events) => {
      assert.equal(await agent.interrupt(), 'nothing_running');
      agent.send({ content: 'wait', uuid: uuid(1) });
      await until(has(events, 'turn_started'));
      assert.equal(await agent.interrupt(), 'interrupted');
      await until(has(events, 'turn_ended'));
    });
  },
};

const ending: OpenerPromises = {
  async 'lets what was sent finish in `finish()`, and exits then'(fixture) {
    await withAgent(fixture, async (agent, events) => {
      agent.send({ content: 'go', uuid: uuid(1) });
      await agent.finish();
      await agent.exited;
      await until(has(events, 'exited'));
      assert.ok(events.some((event) => event.kind === 'turn_ended' && event.outcome.kind === 'completed'));
    });
  },

  async 'ends in the middle of a turn with `close()`, which can be called twice'(fixture) {
    await withAgent(fixture, async (agent, events) => {
      agent.send({ content: 'wait', uuid: uuid(1) });
      await until(has(events, 'turn_started'));
      await Promise.all([agent.close(), agent.close()]);
      await agent.exited;
    });
  },

  async 'reports the exit as the last event'(fixture) {
    let all: readonly ConversationEvent[] = [];
    await withAgent(fixture, async (_, events) => void (all = events));
    assert.equal(all.at(-1)?.kind, 'exited');
    assert.equal(all.filter(({ kind }) => kind === 'exited').length, 1);
  },

  async 'takes no message once it has ended'(fixture) {
    await withAgent(fixture, async (agent) => {
      await agent.close();
      assert.throws(() => agent.send({ content: 'go', uuid: uuid(1) }), hasCode('CONVERSATION_CLOSED'));
    });
  },

  async 'ends when the agent is not needed any more'(fixture) {
    const leaving = new AbortController();
    const request = requestOf({ sessionId: id, signal: leaving.signal });
    await withAgent(
      fixture,
      async (agent) => {
        leaving.abort();
        await agent.exited;
      },
      request,
    );
  },
};

const suspending: OpenerPromises = {
  async 'ends without an outcome of its turn with `suspend()`'(fixture) {
    await withAgent(fixture, async (agent, events) => {
      agent.send({ content: 'wait', uuid: uuid(1) });
      await until(has(events, 'turn_started'));
      await agent.suspend?.();
      await agent.exited;
      await until(has(events, 'exited'));
      assert.ok(has(events, 'turn_cut')() && !has(events, 'turn_ended')(), 'the turn has an outcome');
    });
  },
};
