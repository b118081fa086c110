import { Serial } from '@hexagent/async';
import { SdkError, type Clock, type Ids, type Lease, type LeaseStore, type Membership } from '@hexagent/ports';

const returnAgainMs = 5000;

export interface LeaseKeeperOptions {
  readonly leases: LeaseStore;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'uuid'>;
  /** For people: a uuid follows, since no two joins may have the same. */
  readonly owner?: string | undefined;
  readonly address?: string | undefined;
  readonly capacity?: number | undefined;
  /** Called with the sessions whose leases are lost, or may be. */
  readonly onLost: (sessions: readonly string[]) => void;
}

/** Takes the leases of a host, which joins at the latest with the first one, keeps all of them, and gives them back. */
export class LeaseKeeper {
  readonly #options: LeaseKeeperOptions;
  readonly #joining = new Serial();
  /** `undefined` before it joins, and after a loss. */
  #member: Membership | undefined;
  #hasLeft = false;
  /** By the clock: when its leases are lost unless they were kept. */
  #lostAt = Infinity;
  #cancelKeep: () => void = () => {};
  #cancelLoss: () => void = () => {};
  /** By session: those that may be used. */
  readonly #held = new Map<string, Lease>();
  /** By session: leases that are being given back. Until that has succeeded, the store refuses them to this process, too. */
  readonly #returning = new Map<string, Lease>();

  constructor(options: LeaseKeeperOptions) {
    this.#options = options;
  }

  /** Joins, unless that was done. Resolves with the owner, which is another one after a loss. */
  async join(): Promise<string> {
    return (await this.#join()).owner;
  }

  /**
   * Calls `take` with the lease.
   * @throws {SdkError} `SESSION_HELD` where another process has it.
   */
  async acquire(session: string, take: (lease: Lease) => void): Promise<void> {
    await this.#return(session);
    const answer = await this.asMember((member) => this.#options.leases.acquire(session, member));
    if (answer.kind === 'held')
      throw new SdkError('SESSION_HELD', `The session ${session} is driven by another process: ${answer.owner}.`);
    if (answer.lease.owner !== this.#living()?.owner)
      throw new SdkError('LEASE_LOST', `The lease of the session ${session} was lost while it was taken.`);
    this.#held.set(session, answer.lease);
    take(answer.lease);
  }

  /** Calls `use` with the worker, and where that turns out to be lost, with the one that follows it. */
  async asMember<T>(use: (member: Membership) => Promise<T>): Promise<T> {
    const member = await this.#join();
    return await use(member).catch(async (error: unknown) => {
      if (!SdkError.is(error) || error.code !== 'LEASE_LOST') throw error;
      this.#lose(member);
      return await use(await this.#join());
    });
  }

  /** Whether a lease may be used. */
  holds(lease: Lease): boolean {
    return this.#living() !== undefined && this.#held.get(lease.session) === lease;
  }

  /** Gives a lease back after what is still `written` under it, at the latest with all others. One that was lost is left to the store. */
  async release(lease: Lease, written: Promise<void>): Promise<void> {
    if (this.#held.get(lease.session) !== lease) return;
    this.#held.delete(lease.session);
    this.#returning.set(lease.session, lease);
    await written;
    await this.#return(lease.session).catch(() => this.#returnLater(lease.session));
  }

  /** Marks this process as one that takes no further sessions. */
  async drain(): Promise<void> {
    const member = await this.#joining.run(async () => this.#member);
    if (member !== undefined) await this.#options.leases.drain(member);
  }

  /** Gives everything back. Joins no more. */
  async leave(): Promise<void> {
    this.#hasLeft = true;
    const member = await this.#joining.run(async () => this.#member);
    if (member === undefined) return;
    this.#end();
    await this.#options.leases.leave(member);
  }

  /** Joins, unless that was done. */
  #join(): Promise<Membership> {
    const { leases, clock, ids, owner: name, address, capacity } = this.#options;
    return this.#joining.run(async () => {
      const living = this.#living();
      if (living !== undefined) return living;
      if (this.#hasLeft) throw new SdkError('HOST_CLOSED', 'The session host was closed, and takes no lease any more.');
      const askedAt = clock.now();
      const owner = name === undefined ? ids.uuid() : `${name} ${ids.uuid()}`;
      const member = await leases.join({ owner, address, capacity });
      this.#member = member;
      this.#kept(member, askedAt);
      return member;
    });
  }

  /** In a process that was stopped, the time may be over before a timer has fired: whatever comes first loses the leases. */
  #living(): Membership | undefined {
    if (this.#member !== undefined && this.#options.clock.now() >= this.#lostAt) this.#lose(this.#member);
    return this.#member;
  }

  #kept(member: Membership, askedAt: number): void {
    const { clock } = this.#options;
    const { renewWithinMs } = member;
    if (renewWithinMs === undefined) return;
    this.#cancelLoss();
    this.#lostAt = askedAt + renewWithinMs / 2;
    const left = this.#lostAt - clock.now();
    // The answer may have waited for a process that was stopped.
    if (left <= 0) return this.#lose(member);
    // A store that does not answer must not keep this host driving beyond its time.
    this.#cancelLoss = clock.after(left, () => this.#lose(member));
    this.#cancelKeep = clock.after(renewWithinMs / 4, () => void this.#keep(member, renewWithinMs / 16));
  }

  async #keep(member: Membership, againMs: number): Promise<void> {
    const { leases, clock } = this.#options;
    if (this.#living() !== member) return;
    const [askedAt, held] = [clock.now(), [...this.#held.values()]];
    const answer = await leases.keep(member).catch(() => 'unknown' as const);
    if (this.#member !== member) return;
    if (answer === 'unknown') this.#cancelKeep = clock.after(againMs, () => void this.#keep(member, againMs));
    else if (answer === 'lost') this.#lose(member);
    else {
      this.#kept(member, askedAt);
      this.#compare(held, answer);
    }
  }

  /** Loses those of the leases that the store does not have any more: a standby that was promoted lacks the last ones. */
  #compare(held: readonly Lease[], fences: ReadonlyMap<string, number>): void {
    const gone = held.filter((lease) => this.holds(lease) && fences.get(lease.session) !== lease.fence);
    for (const { session } of gone) this.#held.delete(session);
    if (gone.length > 0) this.#options.onLost(gone.map(({ session }) => session));
  }

  #lose(member: Membership): void {
    if (this.#member !== member) return;
    const sessions = [...this.#held.keys()];
    this.#end();
    this.#options.onLost(sessions);
  }

  #end(): void {
    this.#member = undefined;
    this.#lostAt = Infinity;
    this.#held.clear();
    this.#returning.clear();
    this.#cancelKeep();
    this.#cancelLoss();
  }

  async #return(session: string): Promise<void> {
    const lease = this.#returning.get(session);
    if (lease === undefined) return;
    await this.#options.leases.release(lease);
    if (this.#returning.get(session) === lease) this.#returning.delete(session);
  }

  /** Otherwise no other process could drive the session for as long as this one lives. */
  #returnLater(session: string): void {
    const again = (): void => void this.#return(session).catch(() => this.#returnLater(session));
    if (this.#returning.has(session)) this.#options.clock.after(returnAgainMs, again);
  }
}
