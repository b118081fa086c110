import { SdkError, type AgentOpener, type AgentRequest, type HostedAgent, type SessionRecord } from '@hexagent/ports';
import type { SessionLedger } from './session-ledger.ts';
import type { HostedSessionParts } from './session-parts.ts';

/** Opens the agent of a session, once that of the previous owner has had time to exit. */
export async function openFor(
  ledger: SessionLedger,
  { id, open, takeoverGraceMs }: Pick<HostedSessionParts, 'id' | 'open' | 'takeoverGraceMs'>,
  signal: AbortSignal,
): Promise<HostedAgent> {
  await ledger.settled(takeoverGraceMs);
  signal.throwIfAborted();
  const { record, fence, cut } = ledger;
  if (record === undefined) throw new SdkError('LEASE_LOST', `The session ${id} is not driven here any more.`);
  return await adopted(await openAgent({ open, record, fence, continues: cut.length > 0, signal }), ledger);
}

/** A spare agent has a session of its own, whose id becomes that of the record. */
async function adopted(agent: HostedAgent, ledger: SessionLedger): Promise<HostedAgent> {
  const { sessionId } = agent;
  if (sessionId === undefined || sessionId === ledger.record?.sessionId) return agent;
  try {
    await ledger.put({ sessionId });
    return agent;
  } catch (error) {
    await agent.close();
    throw error;
  }
}

interface Opening {
  readonly open: AgentOpener;
  readonly record: SessionRecord;
  /** Of the lease that is held. */
  readonly fence: number;
  /** Whether the agent is to continue with a turn that was cut off. */
  readonly continues: boolean;
  readonly signal: AbortSignal;
}

/** Opens the agent of a session. If the agent may not have stored the session yet, a failed resume is followed by a new start. */
async function openAgent({ open, record, fence, continues, signal }: Opening): Promise<HostedAgent> {
  const { id: session, sessionId, tenant, facts, begun } = record;
  const request = (options: Omit<AgentRequest['options'], 'signal'>): AgentRequest => ({
    session,
    tenant,
    facts,
    fence,
    options: { ...options, signal },
  });
  const anew = request({ sessionId });
  if (begun === 'no') return await open(anew);
  const resumed = request({ resume: sessionId, ...(continues && { interruptedTurn: 'continue' }) });
  if (begun === 'yes') return await open(resumed);
  const agent = await open(resumed);
  try {
    await agent.ready;
    return agent;
  } catch {
    await agent.close();
    signal.throwIfAborted();
    return await open(anew);
  }
}
