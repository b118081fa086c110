import { AbortError, type Connection, type Launch, type Transport } from '@hexagent/ports';
import { crashText } from './crash-text.ts';
import { Link } from './link.ts';
import { LinkedAgent } from './linked-agent.ts';

/** A function that plays an agent. Called once for each connection, before its first line is read. */
export type AgentFunction = (agent: LinkedAgent) => void | Promise<void>;

export interface LinkedTransport {
  readonly transport: Transport;
  /** The agent of the first connection. It exists before that, so that a test can prepare it. */
  readonly agent: LinkedAgent;
  /** All agents, in the order of the connections. */
  readonly agents: readonly LinkedAgent[];
}

/**
 * A transport to agents in the same process, without processes, timers or randomness. Each connection has an agent of
 * its own, which `play` or the test itself plays.
 */
export function linkedTransport(play?: AgentFunction): LinkedTransport {
  const first = new Pair();
  const pairs: Pair[] = [];
  const agents: LinkedAgent[] = [first.agent];
  const transport: Transport = {
    async connect(launch, { signal } = {}) {
      if (signal?.aborted) throw new AbortError('Aborted before the agent was started.', { cause: signal.reason });
      const pair = pairs.length === 0 ? first : new Pair();
      pairs.push(pair);
      if (pair !== first) agents.push(pair.agent);
      start(pair.agent, launch, play);
      return pair.connection;
    },
  };
  return { transport, agent: first.agent, agents };
}

class Pair {
  readonly connection: Connection;
  readonly agent: LinkedAgent;

  constructor() {
    const link = new Link();
    this.agent = new LinkedAgent(link);
    this.connection = {
      frames: link.inbox,
      exit: link.exit,
      send: (line) => link.send(line),
      end: () => link.end(),
      close: (options) => link.close(options),
      pause: () => link.pause(),
      resume: () => link.resume(),
    };
  }
}

function start(agent: LinkedAgent, launch: Launch, play: AgentFunction | undefined): void {
  agent.connected(launch);
  // An agent that throws exits with the error on stderr, as a program would.
  const failed = (error: unknown): void => agent.exit({ code: 1, stderr: crashText(error) });
  try {
    void Promise.resolve(play?.(agent)).catch(failed);
  } catch (error) {
    failed(error);
  }
}
