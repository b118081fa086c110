import type { Account, AgentEvent } from './account.ts';
import { errorText } from './error-text.ts';
import type { Plan } from './plan.ts';
import { allowing } from './program.ts';

/** What is left of a run after its end. */
export interface Leftovers {
  readonly processes: readonly string[];
  readonly files: readonly string[];
  readonly listeners: readonly string[];
  readonly handles: readonly string[];
}

/** The messages that an agent wrote, by name. */
export interface Written {
  /** In order: written to the last byte, where nothing before them spoilt them. */
  readonly whole: readonly string[];
  /** Of which at least a part was written, in order. */
  readonly begun: readonly string[];
}

export interface Evidence {
  readonly plan: Plan;
  readonly written: Written;
  /** What a scripted agent did. */
  readonly log: readonly AgentEvent[];
  /** Commands of tools that ran. */
  readonly ran: readonly string[];
  readonly account: Account;
  readonly leftovers: Leftovers;
  /** Unhandled rejections and uncaught exceptions. */
  readonly escaped: readonly string[];
}

/** What came of a run: nothing that is wrong, if all is well; and how much happened in it. */
export interface Finding {
  readonly violations: readonly string[];
  readonly seen?: Readonly<Record<string, number>>;
}

export function judge(evidence: Evidence): Finding {
  const { account, log, ran } = evidence;
  const of = (on: string): number => log.filter((event) => event.on === on).length;
  return {
    violations: violations(evidence),
    seen: {
      messages: [...account.read.values()].flat().length,
      'promises settled': account.settled.size,
      'requests of agents': of('asking'),
      answers: of('answered'),
      'permission decisions': account.decided.size,
      'tools run': ran.length,
    },
  };
}

/** What must hold after every run, whatever happened in it; each sentence describes a violation. */
export function violations(evidence: Evidence): readonly string[] {
  const { account, leftovers, escaped } = evidence;
  return [
    ...ofMessages(evidence),
    ...ofAnswers(evidence),
    ...ofEndings(evidence),
    ...account.hung.map((name) => `never settled: ${name}`),
    ...escaped.map((what) => `escaped: ${what}`),
    ...leftovers.processes.map((what) => `process left: ${what}`),
    ...leftovers.files.map((what) => `file left: ${what}`),
    ...leftovers.listeners.map((what) => `listener left: ${what}`),
    ...leftovers.handles.map((what) => `handle left: ${what}`),
  ];
}

/** No message is lost, reordered or repeated while the reader reads on. */
function ofMessages({ plan, written, account }: Evidence): string[] {
  const found: string[] = [];
  const place = new Map(written.begun.map((name, index) => [name, index]));
  const all = [...account.read.values()].flat();
  for (const [reader, names] of account.read) {
    const places = names.map((name) => place.get(name) ?? -1);
    if (places.some((at, index) => index > 0 && at <= (places[index - 1] ?? -1)))
      found.push(`${reader} got messages out of order or twice: ${names.join(' ')}`);
  }
  if (new Set(all).size < all.length) found.push(`a message reached two readers: ${all.join(' ')}`);
  const unknown = all.filter((name) => !place.has(name));
  if (unknown.length > 0) found.push(`messages came that were never written: ${unknown.join(' ')}`);
  if (!mustBeComplete(plan, account)) return found;
  const seen = new Set(all);
  const lost = written.whole.filter((name) => !seen.has(name));
  if (lost.length > 0) found.push(`lost: ${lost.join(' ')} of ${written.whole.length}`);
  return found;
}

/** Whether everything that was written must have been read: the conversation ran until the agent ended it. */
function mustBeComplete({ face, program }: Plan, { isCut, settled }: Account): boolean {
  if (isCut) return false;
  const codes = [...settled.values()].map((how) => ('error' in how ? codeOf(how.error) : ''));
  // These end a conversation from our side; a loop of the drop-in also ends at an error result.
  const ending = ['INITIALIZE_FAILED', 'INITIALIZE_TIMEOUT'];
  if (codes.some((code) => ending.includes(code))) return false;
  return face === 'native' || !(codes.includes('RESULT_ERROR') || program.prompt === 'stream that throws');
}

interface Asked {
  times: number;
  answers: number;
  /** How often it may be allowed: as often as the program has allowed what was asked under this id. */
  mayAllow: number;
}

/** Each request is answered once at most, by the callback or the page that had to; what was not allowed does not run. */
function ofAnswers({ log, account, ran }: Evidence): string[] {
  const found: string[] = [];
  const mayRun = (command: string): boolean => {
    const decision = account.decided.get(command);
    return decision !== undefined && allowing.has(decision);
  };
  const asked = new Map<string, Asked>();
  for (const { on, id = '', key = '', what, response } of log) {
    if (on === 'asking') {
      const known = asked.get(id) ?? { times: 0, answers: 0, mayAllow: 0 };
      known.times += 1;
      if (mayRun(`echo ${key}`)) known.mayAllow += 1;
      asked.set(id, known);
    }
    if (on === 'unanswered' && !account.isCut && !isLeftOpen(account)) found.push(`${what} ${id} was never answered`);
    if (on !== 'answered') continue;
    const request = asked.get(id) ?? { times: 0, answers: 0, mayAllow: 0 };
    request.answers += 1;
    if (request.answers > request.times)
      found.push(`${id} was answered ${request.answers} times and asked ${request.times} times`);
    if (response?.response?.behavior !== 'allow') continue;
    request.mayAllow -= 1;
    if (request.mayAllow < 0) found.push(`${id} was allowed, and the program had not`);
  }
  for (const command of ran) if (!mayRun(command)) found.push(`ran although it was not allowed: ${command}`);
  return found;
}

/** Whether a callback of the program's leaves requests open on purpose. */
const isLeftOpen = ({ decided }: Account): boolean =>
  [...decided.values()].some((kind) => kind === 'never' || kind === 'elsewhere' || kind === 'when aborted');

/** What rejects does so with an error of ours; what is asked of an agent without faults succeeds. */
function ofEndings({ plan, log, account }: Evidence): string[] {
  const found: string[] = [];
  for (const [name, how] of account.settled) {
    if (!('error' in how)) continue;
    if (isRaw(how.error)) found.push(`${name} failed with a raw error: ${errorText(how.error)}`);
    // Refused where the plan says so; or the query has ended before an introduction that comes late.
    else if (plan.isBenign && !name.includes('control') && !name.includes('initializationResult'))
      found.push(`${name} failed: ${errorText(how.error)}`);
  }
  if (log.some(({ on }) => on === 'bad input')) found.push('the agent was sent what is no frame');
  return found;
}

function isRaw(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  if (error.message === 'The prompt broke.' || error.message === 'The prompt does not want to end.') return false;
  return ['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError'].includes(error.name) || 'syscall' in error;
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
