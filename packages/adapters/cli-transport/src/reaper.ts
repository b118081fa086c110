import { rmSync } from 'node:fs';
import { Watchdog, type AgentToTrack, type StartedAgent } from './watchdog.ts';

const agents = new Set<TrackedAgent>();
const watchdog = new Watchdog();

/**
 * Sees to it that nothing of an agent is left when this process ends, from before the first byte of it is written. One
 * listener for all, and only `exit`: a listener for a signal would take away what the signal does by default, which is the
 * program's to decide.
 */
export function trackAgent(agent: AgentToTrack, { isWatched }: { readonly isWatched: boolean }): TrackedAgent {
  if (agents.size === 0) process.on('exit', endAll);
  const tracked = new TrackedAgent(agent, isWatched ? watchdog : undefined);
  agents.add(tracked);
  return tracked;
}

/** One agent, as this process and its watchdog know it. */
export class TrackedAgent {
  readonly #agent: AgentToTrack;
  readonly #watchdog: Watchdog | undefined;
  #endNow = (): void => {};

  constructor(agent: AgentToTrack, watchdog: Watchdog | undefined) {
    this.#agent = agent;
    this.#watchdog = watchdog;
    watchdog?.watch(agent);
  }

  /** It runs. `endNow` ends it without waiting; needed where no watchdog is. */
  started(process: StartedAgent, endNow: () => void): void {
    this.#endNow = endNow;
    this.#watchdog?.started(this.#agent.id, process);
  }

  /** What the environments of its own children have in common: see `ProcessTree.rememberShell`. */
  shellKnown(shell: string | undefined): void {
    if (shell !== undefined) this.#watchdog?.shellKnown(this.#agent.id, shell);
  }

  /** Its number may be given to another process now. What it left behind may still run. */
  numberFreed(): void {
    this.#watchdog?.numberFreed(this.#agent.id);
  }

  /** Nothing is left of it. Safe to call twice. */
  forget(): void {
    if (!agents.delete(this)) return;
    this.#watchdog?.forget(this.#agent.id);
    if (agents.size === 0) process.off('exit', endAll);
  }

  /** This process ends. */
  end(): void {
    if (this.#watchdog?.isRunning !== true) this.#endNow();
    if (this.#agent.folder !== undefined) rmSync(this.#agent.folder, { recursive: true, force: true });
  }
}

function endAll(): void {
  for (const agent of agents) agent.end();
}
