import type { GiveBack, TenantGate } from './tenant-gate.ts';

export interface AdmissionOptions {
  /** How many agents may live at once. */
  readonly maxLive: number;
  /** How many of them may be starting. */
  readonly maxStarting: number;
  /** How many may live at once for one tenant. */
  readonly maxLivePerTenant: number;
  /** Called when a session waits and no place is free, for one tenant or in all. Ends an idle agent, if there is one. */
  readonly makeRoom: (tenant: string | undefined) => boolean;
  /** Where the places of tenants count in other processes, too. */
  readonly gate?: Pick<TenantGate, 'take' | 'later'> | undefined;
}

/** The place of one agent, from the request for it to its exit. */
export interface Place {
  /** The agent has started, so another one may start. */
  started(): void;
  /** The agent has exited, or is no longer needed. Safe to call twice. */
  leave(): void;
}

interface Ticket {
  readonly tenant: string;
  readonly start: () => void;
  stage: 'waiting' | 'starting' | 'live' | 'left';
  giveBack?: GiveBack | undefined;
}

/** Decides which session may start an agent, and when: tenants take turns, and each keeps to its own order. */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #waiting = new Map<string, Ticket[]>();
  readonly #live = new Map<string, number>();
  /** The tenants that have no place left in all processes. */
  readonly #crowded = new Set<string>();
  #liveCount = 0;
  #starting = 0;
  #isDeciding = false;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** How many wait for a place. */
  get waiting(): number {
    let count = 0;
    for (const tickets of this.#waiting.values()) count += tickets.length;
    return count;
  }

  waitingOf(tenant: string | undefined): number {
    return this.#waiting.get(tenant ?? '')?.length ?? 0;
  }

  get live(): number {
    return this.#liveCount;
  }

  /** Calls `start` once there is a place: at once, or later. */
  enter(tenant: string | undefined, start: () => void): Place {
    const ticket: Ticket = { tenant: tenant ?? '', start, stage: 'waiting' };
    const tickets = this.#waiting.get(ticket.tenant) ?? [];
    tickets.push(ticket);
    this.#waiting.set(ticket.tenant, tickets);
    this.#decide();
    return {
      started: () => {
        if (ticket.stage !== 'starting') return;
        ticket.stage = 'live';
        this.#starting -= 1;
        this.#decide();
      },
      leave: () => this.#leave(ticket),
    };
  }

  /** Called when an agent became idle: it can be ended to make room. */
  review(): void {
    this.#decide();
  }

  #leave(ticket: Ticket): void {
    const { stage, tenant } = ticket;
    if (stage === 'left') return;
    ticket.stage = 'left';
    if (stage === 'waiting') this.#take(ticket);
    else this.#uncount(tenant, stage);
    void ticket.giveBack?.().then(() => this.#retry(tenant));
    this.#decide();
  }

  #uncount(tenant: string, stage: Ticket['stage']): void {
    if (stage === 'starting') this.#starting -= 1;
    this.#liveCount -= 1;
    this.#live.set(tenant, (this.#live.get(tenant) ?? 1) - 1);
    if (this.#live.get(tenant) === 0) this.#live.delete(tenant);
  }

  /** Not reentrant: starting an agent may call back here at once. */
  #decide(): void {
    if (this.#isDeciding) return;
    this.#isDeciding = true;
    try {
      for (let next = this.#next(); next !== undefined; next = this.#next()) this.#admit(next);
    } finally {
      this.#isDeciding = false;
    }
  }

  #admit(ticket: Ticket): void {
    this.#take(ticket);
    ticket.stage = 'starting';
    this.#starting += 1;
    this.#liveCount += 1;
    this.#live.set(ticket.tenant, (this.#live.get(ticket.tenant) ?? 0) + 1);
    const { gate } = this.#options;
    if (gate === undefined) ticket.start();
    else void this.#pass(gate, ticket);
  }

  async #pass(gate: NonNullable<AdmissionOptions['gate']>, ticket: Ticket): Promise<void> {
    const { tenant } = ticket;
    // A store that fails is asked again, too.
    const giveBack = await gate.take(tenant).catch(() => undefined);
    if (ticket.stage === 'left') return void giveBack?.();
    if (giveBack !== undefined) {
      ticket.giveBack = giveBack;
      return ticket.start();
    }
    this.#uncount(tenant, 'starting');
    ticket.stage = 'waiting';
    this.#waiting.set(tenant, [ticket, ...(this.#waiting.get(tenant) ?? [])]);
    this.#crowded.add(tenant);
    gate.later(() => this.#retry(tenant));
    this.#options.makeRoom(tenant);
    this.#decide();
  }

  #retry(tenant: string): void {
    if (this.#crowded.delete(tenant)) this.#decide();
  }

  #next(): Ticket | undefined {
    const { maxLive, maxStarting, maxLivePerTenant, makeRoom } = this.#options;
    if (this.#starting >= maxStarting) return undefined;
    for (const [tenant, [first]] of this.#waiting) {
      if (first === undefined || this.#crowded.has(tenant)) continue;
      if ((this.#live.get(tenant) ?? 0) >= maxLivePerTenant) {
        makeRoom(tenant);
        continue;
      }
      if (this.#liveCount < maxLive) return first;
      makeRoom(undefined);
      return undefined;
    }
    return undefined;
  }

  /** Takes a ticket out, and puts its tenant behind the others. */
  #take(ticket: Ticket): void {
    const tickets = this.#waiting.get(ticket.tenant)?.filter((other) => other !== ticket) ?? [];
    this.#waiting.delete(ticket.tenant);
    if (tickets.length > 0) this.#waiting.set(ticket.tenant, tickets);
  }
}
