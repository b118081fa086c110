import { EventEmitter, once } from 'node:events';
import {
  allow,
  createSdk,
  deny,
  type AnswerReceipt,
  type AskHandler,
  type Decision,
  type PermissionAsk,
  type Session,
  type SessionOptions,
} from '@hexagent/sdk';
import { linkedTransport, reply, scriptedAgent, type LinkedAgent } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';

type Turn = Parameters<typeof scriptedAgent>[0] extends { turns?: infer Turns } | undefined ? Turns : never;

interface Open {
  readonly session: Session;
  readonly agent: LinkedAgent;
  readonly warned: string[];
}

async function open(turns: Turn, options: SessionOptions): Promise<Open> {
  const warned: string[] = [];
  const { transport, agent } = linkedTransport(scriptedAgent({ turns }));
  const sdk = createSdk({ transport, onWarning: ({ message }) => void warned.push(message) });
  return { session: await sdk.openSession(options), agent, warned };
}

const call = (command: string): ReturnType<typeof reply.tool> => reply.tool('Bash', { command }, { asks: true });

/** What the agent was answered to its requests for permission, in order. The hook of the policy is answered as well. */
const answersTo = ({ received }: LinkedAgent): readonly unknown[] =>
  received.flatMap((frame) => {
    if (frame.type !== 'control_response') return [];
    const answer = frame.response?.response;
    return answer?.['behavior'] === undefined ? [] : [answer['message'] ?? answer['behavior']];
  });

/** Stands for a broker: it has ids and data, and access to neither the session nor the agent. */
class Desk extends EventEmitter {
  readonly #shown = new Map<string, string>();
  readonly #closed: string[] = [];

  /** Leaves every request to the desk. */
  readonly onAsk: AskHandler = (pending) => {
    this.#shown.set(pending.id, JSON.stringify(pending));
    pending.signal.addEventListener('abort', () => this.#closed.push(pending.id));
    this.emit('shown', pending.id);
    return null;
  };

  get shown(): readonly PermissionAsk[] {
    return [...this.#shown.values()].map((text) => JSON.parse(text) as PermissionAsk);
  }

  get closed(): readonly string[] {
    return this.#closed;
  }

  async arrival(): Promise<string> {
    const [id] = (await once(this, 'shown')) as [string];
    return id;
  }
}

describe('session.pending', () => {
  it('#24 is answered by id from another part of the program, which got the request as data', async () => {
    const desk = new Desk();
    const { session, agent } = await open(() => [call('touch a'), 'Done.'], { onAsk: desk.onAsk });
    const arrived = desk.arrival();
    const turn = session.send('go');
    const id = await arrived;
    expect(desk.shown).toMatchObject([{ id, kind: 'call', tool: 'Bash', input: { command: 'touch a' } }]);
    expect(session.pending.list()).toMatchObject([{ id }]);
    const posted = JSON.parse(JSON.stringify(deny('Said a person at a desk.'))) as Decision;
    expect(session.pending.answer(id, posted)).toBe<AnswerReceipt>('accepted');
    expect(session.pending.answer(id, allow())).toBe<AnswerReceipt>('already_answered');
    expect(await turn.result).toMatchObject({ kind: 'completed' });
    expect(desk.closed).toEqual([id]);
    expect(answersTo(agent)).toEqual(['Said a person at a desk.']);
    expect(session.pending.list()).toEqual([]);
    await session.close();
  });

  it('is in the events of the session from the call that is asked about until it is answered', async () => {
    const { session } = await open(() => [call('touch a'), 'Done.'], { onAsk: () => null });
    const seen: string[] = [];
    const turn = session.send('go');
    for await (const event of session.events()) {
      const { kind } = event;
      if (kind === 'message' && event.message.type === 'assistant') seen.push(kind);
      if (kind === 'ask_opened' || kind === 'ask_settled') seen.push(`${kind} ${event.turn === turn.id}`);
      if (kind === 'ask_opened') session.pending.answer(event.ask.id, deny('No.'));
      if (kind === 'turn_ended') break;
    }
    expect(seen).toEqual(['message', 'ask_opened true', 'ask_settled true', 'message']);
    await session.close();
  });

  it('throws for anything but a listener, and warns of one that throws', async () => {
    const { session, warned } = await open([[call('a'), 'Done.']], { onAsk: async () => deny('No.') });
    for (const listener of [undefined, null, {}, 'list'])
      expect(() => session.pending.onChange?.(listener as () => void)).toThrow(/`listener` must be a function, not/);
    session.pending.onChange?.(() => {
      throw new Error('Not today.');
    });
    await session.send('go').result;
    expect(warned).toContain('A listener of the pending requests failed: Not today.');
    await session.close();
  });

  it('reports each change of its list, until there is no listener any more', async () => {
    const { session } = await open(() => [call('touch a'), call('touch b'), 'Done.'], { onAsk: () => null });
    const seen: number[] = [];
    const stop = session.pending.onChange?.(() => void seen.push(session.pending.list().length));
    const turn = session.send('go');
    await expect.poll(() => session.pending.list()).toHaveLength(1);
    session.pending.answer(session.pending.list()[0]!.id, deny('no'));
    await expect.poll(() => seen).toEqual([1, 0, 1]);
    stop?.();
    session.pending.answer(session.pending.list()[0]!.id, deny('no'));
    await turn.result;
    expect(seen).toEqual([1, 0, 1]);
    await session.close();
  });

  it('#57 is empty after an interrupt, and a late answer does nothing', async () => {
    const desk = new Desk();
    const { session, agent } = await open(() => [call('touch a'), 'Done.'], { onAsk: desk.onAsk });
    const arrived = desk.arrival();
    const turn = session.send('go');
    const id = await arrived;
    expect(await turn.interrupt()).toBe('interrupted');
    expect(session.pending.list()).toEqual([]);
    expect(session.pending.answer(id, allow())).toBe<AnswerReceipt>('withdrawn');
    expect(desk.closed).toEqual([id]);
    expect(answersTo(agent)).toEqual([]);
    await session.close();
  });

  it.each<[string, AnswerReceipt, (open: Open) => unknown]>([
    ['the session is closed', 'withdrawn', ({ session }) => session.close()],
    ['the session is suspended', 'suspended', ({ session }) => session.suspend()],
    ['the agent dies', 'agent_exited', ({ agent, session }) => (agent.exit({ signal: 'SIGKILL' }), session.exited)],
  ])('is empty when %s', async (_, receipt, end) => {
    const desk = new Desk();
    const opened = await open(() => [call('touch a'), 'Done.'], { onAsk: desk.onAsk });
    const { session } = opened;
    const arrived = desk.arrival();
    session.send('go');
    const id = await arrived;
    await end(opened);
    expect(session.pending.list()).toEqual([]);
    expect(session.pending.answer(id, allow())).toBe(receipt);
    expect(desk.closed).toEqual([id]);
    await session.close();
  });

  it('keeps the agent’s input open: finish() waits for the answer', async () => {
    const desk = new Desk();
    const { session, agent } = await open(() => [call('touch a'), 'Done.'], { onAsk: desk.onAsk });
    const arrived = desk.arrival();
    const turn = session.send('go');
    const id = await arrived;
    const finished = session.finish();
    expect(session.pending.list()).toHaveLength(1);
    session.pending.answer(id, allow());
    expect(await turn.result).toMatchObject({ kind: 'completed' });
    await finished;
    expect(answersTo(agent)).toEqual(['allow']);
  });

  it('throws for anything but an id and an answer, at the call', async () => {
    const { session } = await open(() => ['Done.'], { onAsk: () => null });
    expect(() => session.pending.answer(5 as never, allow())).toThrow('`id` must be');
    expect(() => session.pending.get(undefined as never)).toThrow('`id` must be');
    expect(() => session.pending.answer('r1', true as never)).toThrow('A pending request is answered by');
    await session.close();
  });

  it('does not exist for ask(): an approver that returns null there denies, and is warned of', async () => {
    const warned: string[] = [];
    const { transport, agent } = linkedTransport(scriptedAgent({ turns: () => [call('touch a'), 'Done.'] }));
    const sdk = createSdk({ transport, onWarning: ({ message }) => void warned.push(message) });
    expect(await sdk.ask('go', { onAsk: () => null }).result).toMatchObject({ kind: 'completed' });
    expect(JSON.stringify(agent.received)).toContain('nothing else can answer here');
    expect(warned).toEqual([expect.stringContaining('nothing else can answer here')]);
  });
});

describe('A gate of your own', () => {
  it('asks the people of the session as well, by the approver that it is given', async () => {
    const { transport, agent } = linkedTransport(scriptedAgent({ turns: () => [call('touch a'), 'Done.'] }));
    const sdk = createSdk({
      transport,
      gate: ({ approver }) => ({ decide: async (request, context) => (await approver?.(request, context)) ?? null }),
    });
    const session = await sdk.openSession({ onAsk: () => null });
    const turn = session.send('go');
    await expect.poll(() => session.pending.list()).toHaveLength(1);
    session.pending.answer(session.pending.list()[0]!.id, deny('by id'));
    await turn.result;
    expect(answersTo(agent)).toEqual(['by id']);
    await session.close();
  });
});
