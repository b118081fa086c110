import type { HostedAgent } from '@hexagent/ports';
import type { Admission, Place } from './admission.ts';
import { AgentRun, type AgentRunEvents } from './agent-run.ts';

/**
 * How an agent is ended: once what runs is done (`wait`), with its turn interrupted (`interrupt`) or left unfinished (`suspend`),
 * or for good (`close`).
 */
export type AgentEnding = 'wait' | 'interrupt' | 'suspend' | 'close';

export interface AgentSlotEvents extends Omit<AgentRunEvents, 'gone'> {
  /** The agent is being started. */
  readonly starting: () => void;
  /** It runs, and may be given messages. */
  readonly opened: () => void;
  /** It has exited, or could not be started. */
  readonly gone: (error: unknown) => Promise<void>;
}

/** Holds the agent of a session, from the request for one to its exit. One at a time. */
export class AgentSlot {
  readonly #admission: Admission;
  readonly #events: AgentSlotEvents;
  #place: Place | undefined;
  #opening: AbortController | undefined;
  #run: AgentRun | undefined;
  /** Settles when the agent has exited, and what followed from that is done. */
  #gone: Promise<void> | undefined;
  /** Counts the requests for a place; only the last one is current. */
  #wish = 0;

  constructor(admission: Admission, events: AgentSlotEvents) {
    this.#admission = admission;
    this.#events = events;
  }

  get run(): AgentRun | undefined {
    return this.#run;
  }

  /** Whether an agent was requested, is being started, or runs. */
  get isTaken(): boolean {
    return this.#place !== undefined;
  }

  /** Opens an agent once there is a place for it. */
  enter(tenant: string | undefined, open: (signal: AbortSignal) => Promise<HostedAgent>): void {
    this.#wish += 1;
    const wish = this.#wish;
    this.#place = this.#admission.enter(tenant, () => {
      // The place may be there before `enter()` has returned it.
      void Promise.resolve().then(() => {
        if (wish === this.#wish && this.#place !== undefined) this.#gone = this.#start(this.#place, open);
      });
    });
  }

  /** Ends the agent. `after` calls back when it has to be suspended at the latest, and returns what cancels that. */
  async end(how: AgentEnding, after: (suspend: () => void) => () => void): Promise<void> {
    const run = this.#run;
    if (run === undefined) {
      this.#opening?.abort();
      if (this.#opening === undefined) this.#leave();
      await this.#gone;
      return;
    }
    const { agent } = run;
    const cancel = after(() => void run.suspend());
    await this.#begin(how, run);
    await agent.exited;
    cancel();
    await this.#gone;
  }

  async #begin(how: AgentEnding, run: AgentRun): Promise<void> {
    const { agent } = run;
    if (how === 'close') return void agent.close();
    // Interrupted, it would take the request that waits for refused.
    if (how === 'suspend' || (how === 'interrupt' && run.isWaiting)) return void run.suspend();
    if (how === 'interrupt') await agent.interrupt().catch(() => {});
    agent.finish().catch(() => {});
  }

  async #start(place: Place, open: (signal: AbortSignal) => Promise<HostedAgent>): Promise<void> {
    this.#events.starting();
    const opening = new AbortController();
    this.#opening = opening;
    let failure: unknown;
    try {
      const agent = await open(opening.signal);
      this.#opening = undefined;
      if (!opening.signal.aborted) return await this.#attach(agent, place);
      await agent.close();
    } catch (error) {
      failure = error;
    }
    this.#opening = undefined;
    await this.#left(failure ?? opening.signal.reason);
  }

  /** Resolves when the agent has exited. */
  #attach(agent: HostedAgent, place: Place): Promise<void> {
    const started = (): void => place.started();
    agent.ready.then(started, started);
    return new Promise((resolve) => {
      const gone = (error: unknown): void => void this.#left(error).then(resolve, resolve);
      this.#run = new AgentRun(agent, { ...this.#events, gone });
      this.#events.opened();
    });
  }

  async #left(error: unknown): Promise<void> {
    this.#run = undefined;
    this.#leave();
    await this.#events.gone(error);
  }

  #leave(): void {
    this.#wish += 1;
    this.#place?.leave();
    this.#place = undefined;
  }
}
