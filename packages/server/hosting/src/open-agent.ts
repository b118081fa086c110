import type { AgentOpener, AgentRequest, HostedAgent, SessionRecord } from '@hexagent/ports';
import type { SessionLedger } from './session-ledger.ts';

/** A spare agent has a session of its own, whose id becomes that of the record. */
export async function adopted(agent: HostedAgent, ledger: Pick<SessionLedger, 'put' | 'record'>): Promise<HostedAgent> {
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

export interface Opening {
  readonly open: AgentOpener;
  readonly record: SessionRecord;
  /** Whether the agent is to continue with a turn that was cut off. */
  readonly continues: boolean;
  readonly signal: AbortSignal;
}

/** Opens the agent of a session. If the agent may not have stored the session yet, a failed resume is followed by a new start. */
export async function openAgent({ open, record, continues, signal }: Opening): Promise<HostedAgent> {
  const { id: session, sessionId, tenant, facts, begun } = record;
  const request = (options: Omit<AgentRequest['options'], 'signal'>): AgentRequest => ({
    session,
    tenant,
    facts,
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
