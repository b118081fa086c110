import type { FaultRecord } from './faults.ts';
import type { JournalLine, Loss } from './journal.ts';
import type { LedgerLine } from './ledger-line.ts';
import type { Stall } from './stalls.ts';
import { indexOf, type Task } from './task.ts';

/** All that is known of a run when it is over. Times are of the monotonic clock. */
export interface Evidence {
  readonly tasks: readonly Task[];
  readonly accepted: ReadonlyMap<string, number>;
  readonly settled: ReadonlyMap<string, number>;
  /** How often pages got each status. */
  readonly answers: ReadonlyMap<string, number>;
  readonly ledger: readonly LedgerLine[];
  readonly journal: readonly JournalLine[];
  readonly states: ReadonlyMap<string, string>;
  readonly transcripts: readonly { readonly session: string; readonly entry: string }[];
  readonly audit: readonly string[];
  readonly faults: readonly FaultRecord[];
  readonly losses: readonly Loss[];
  /** When processes did not get on: a machine that is too busy says nothing about times. */
  readonly stalls: readonly Stall[];
  /** When each worker has ended. */
  readonly ends: ReadonlyMap<string, number>;
  /** Whether agents are processes of their own, which end while their worker is frozen. */
  readonly areProcesses: boolean;
  readonly orphans: readonly string[];
}

interface Life {
  readonly owner: string;
  readonly session: string;
  readonly fence: number;
  readonly from: number;
  readonly until: number;
}

/** A worker whose agents are in its own process ends them when it wakes up: they live on for as long. */
const wakingMs = 1500;

/** Half of a lease: within that a worker finds that a replica lacks one of its leases, or gives all of them up. */
const noticedMs = 2500;

/** What must not be, in words. Empty where all is well. */
export function violationsIn(evidence: Evidence): readonly string[] {
  return [
    ...unfinished(evidence),
    ...repeated(evidence),
    ...outOfOrder(evidence),
    ...twoDrivers(evidence),
    ...oldLines(evidence),
    ...answeredTwice(evidence),
    ...[...evidence.answers.keys()].filter((answer) => answer.endsWith(' 500')),
    ...evidence.orphans.map((command) => `left behind: ${command}`),
  ];
}

/** Whether a replica lacked something of a message, and had taken the place of the database by then. */
const isLostBefore = ({ losses }: Pick<Evidence, 'losses'>, uuid: string | undefined, time: number): boolean =>
  losses.some(({ at, journal }) => at < time && journal.some((line) => line.uuid === uuid));

/** Whether a replica lacked the lease, and its worker may still be without an answer about it: another one may have the session. */
const isLostLease = (
  { losses }: Evidence,
  { session, fence }: Pick<Life, 'session' | 'fence'>,
  time: number,
): boolean =>
  losses.some(
    ({ at, journal }) =>
      time < at + noticedMs && journal.some((line) => line.session === session && line.fence === fence),
  );

function unfinished(evidence: Evidence): readonly string[] {
  const { tasks, accepted, states } = evidence;
  return tasks.flatMap(({ id, text }) => {
    const askedAt = accepted.get(id);
    if (askedAt === undefined) return [`never accepted: ${text}`];
    const state = states.get(id);
    const isExcused = evidence.losses.some(
      ({ at, journal }) => askedAt < at && journal.some(({ uuid }) => uuid === id),
    );
    if (state === undefined && isExcused) return [];
    return state === 'completed' ? [] : [`lost: ${text} is ${state ?? 'nowhere'}`];
  });
}

export function livesIn({ ledger, ends }: Pick<Evidence, 'ledger' | 'ends'>): ReadonlyMap<string, Life> {
  const gone = new Map(ledger.filter(({ kind }) => kind === 'gone').map(({ life, at }) => [life, at]));
  const opened = ledger.filter(({ kind }) => kind === 'open');
  return new Map(
    opened.map(({ life, owner, session, fence, at }) => {
      const until = Math.min(gone.get(life) ?? Infinity, ends.get(owner) ?? Infinity);
      return [life, { owner, session, fence, from: at, until }];
    }),
  );
}

/** When a worker was frozen, and had just woken up, at this time. */
const isFrozenAt = ({ faults, areProcesses }: Evidence, owner: string, at: number): boolean =>
  faults.some(
    ({ kind, names, from, until }) =>
      kind.startsWith('freeze') &&
      (kind === 'freeze-all' || !areProcesses) &&
      names.includes(owner) &&
      from <= at &&
      at <= until + wakingMs,
  );

/** An agent begins again with what another one began with only when that one has ended, and never with what is finished. */
function repeated(evidence: Evidence): readonly string[] {
  const lives = livesIn(evidence);
  const begins = evidence.ledger.filter(({ kind }) => kind === 'begin');
  const ids = new Map(evidence.tasks.map(({ text, id }) => [text, id]));
  const done = new Map(evidence.journal.flatMap(({ uuid, state, at }) => (state === 'completed' ? [[uuid, at]] : [])));
  const found: string[] = [];
  for (const [text, of] of Map.groupBy(begins, (line) => line.text)) {
    for (const [at, line] of of.entries()) {
      if (isLostBefore(evidence, ids.get(text), line.at)) continue;
      const before = of[at - 1];
      const until = before === undefined ? -Infinity : (lives.get(before.life)?.until ?? Infinity);
      if (before?.life === line.life) found.push(`begun twice by one agent: ${text}`);
      else if (
        before !== undefined &&
        until > line.at &&
        !isFrozenAt(evidence, before.owner, until) &&
        !isLostLease(evidence, before, until)
      )
        found.push(`begun by ${line.life} while ${before.life} had it: ${text}`);
      const finishedAt = done.get(ids.get(text) ?? '') ?? Infinity;
      if (line.at > finishedAt && !isFrozenAt(evidence, line.owner, line.at))
        found.push(`begun ${Math.round(line.at - finishedAt)} ms after it was finished: ${text}`);
    }
  }
  return found;
}

function outOfOrder({ ledger, losses, tasks }: Evidence): readonly string[] {
  const ids = new Map(tasks.map(({ text, id }) => [text, id]));
  // What a replica lacks is in the memory of its worker, which finds that out a moment later.
  const isInMemory = ({ text, at }: LedgerLine): boolean =>
    losses.some(
      (loss) => loss.at < at && at < loss.at + noticedMs && loss.journal.some(({ uuid }) => uuid === ids.get(text)),
    );
  const begins = ledger.filter((line) => line.kind === 'begin' && !isInMemory(line));
  // A replica may begin again with messages whose ends it lacks.
  const part = ({ session, at }: LedgerLine): string => `${session} ${losses.filter((loss) => loss.at < at).length}`;
  return [...Map.groupBy(begins, part).values()].flatMap((lines) =>
    lines.flatMap(({ text }, at) => {
      const before = lines[at - 1];
      return before !== undefined && indexOf(before.text) > indexOf(text) ? [`${text} begun after ${before.text}`] : [];
    }),
  );
}

/** No two agents of a session live at a time, and none has a message under an older lease than the one that was given last. */
function twoDrivers(evidence: Evidence): readonly string[] {
  const found: string[] = [];
  const lives = [...livesIn(evidence).values()];
  for (const [session, of] of Map.groupBy(lives, (life) => life.session)) {
    for (const one of of)
      for (const other of of) {
        if (one.from >= other.from || one.until <= other.from) continue;
        const older = one.fence < other.fence ? one : other;
        const until = Math.min(one.until, other.until);
        if (isFrozenAt(evidence, older.owner, older === one ? one.until : until)) continue;
        if (isLostLease(evidence, older, until)) continue;
        found.push(
          `${session} has two agents for ${Math.round(until - other.from)} ms: ` +
            `of ${one.owner} under ${one.fence}, and of ${other.owner} under ${other.fence}`,
        );
      }
  }
  const given = Map.groupBy(evidence.journal, ({ session }) => session);
  for (const line of evidence.ledger) {
    const { kind, session, fence, at, owner, text } = line;
    if (kind !== 'begin' || isFrozenAt(evidence, owner, at) || isLostLease(evidence, line, at)) continue;
    const newer = given.get(session)?.find((lease) => lease.fence !== null && lease.fence > fence && lease.at < at);
    if (newer !== undefined) found.push(`begun by ${owner} under an old lease: ${text}`);
  }
  return found;
}

function oldLines({ transcripts }: Evidence): readonly string[] {
  const highest = new Map<string, number>();
  return transcripts.flatMap(({ session, entry }) => {
    const fence = Number(Reflect.get(Object(JSON.parse(entry)), 'fence'));
    const before = highest.get(session) ?? 0;
    highest.set(session, Math.max(before, fence));
    return fence < before ? [`a line under the lease ${fence} after one under ${before}: ${entry}`] : [];
  });
}

/** The ids of the approvals that were settled. */
const settledIn = (audit: readonly string[]): readonly string[] =>
  audit.flatMap((entry) => {
    const { approval, id = approval }: { id?: string; approval?: string } = JSON.parse(entry);
    return id ?? [];
  });

function answeredTwice({ settled, audit, losses }: Evidence): readonly string[] {
  const ids = settledIn(audit);
  const lost = settledIn(losses.flatMap((loss) => loss.audit));
  const most = (id: string): number => 1 + lost.filter((each) => each === id).length;
  return [
    ...[...settled].flatMap(([id, times]) => (times > most(id) ? [`${times} answers to ${id} count`] : [])),
    ...[...Map.groupBy(ids, (id) => id)].flatMap(([id, all]) => (all.length > 1 ? [`${id} is settled twice`] : [])),
  ];
}

/** For each agent that was cut off in a turn by the kill of its worker: how long until another worker began with that message. */
export function takeoversIn({ ledger, journal, tasks, faults, stalls }: Evidence): readonly {
  readonly ms: number;
  /** Whether nothing else was done to the fleet meanwhile. */
  readonly isAlone: boolean;
}[] {
  const begins = ledger.filter(({ kind }) => kind === 'begin');
  const ids = new Map(tasks.map(({ text, id }) => [text, id]));
  const done = new Map(journal.flatMap(({ uuid, state, at }) => (state === 'completed' ? [[uuid, at]] : [])));
  return faults
    .filter(({ kind }) => kind === 'kill-worker')
    .flatMap((fault) => {
      const cut = begins.filter(
        ({ owner, at, text }) =>
          fault.names.includes(owner) && at < fault.from && (done.get(ids.get(text) ?? '') ?? Infinity) > fault.from,
      );
      return cut.flatMap(({ text, life }) => {
        const next = begins.find((line) => line.text === text && line.life !== life && line.at > fault.from);
        if (next === undefined) return [];
        const others = [...faults, ...stalls].filter(
          (other) => other !== fault && other.from < next.at && other.until > fault.from,
        );
        return [{ ms: next.at - fault.from, isAlone: others.length === 0 }];
      });
    });
}
