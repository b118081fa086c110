import type { Launch } from '@hexagent/ports';
import { GatheredBatches, type Batch, type ToText } from './gathered-batches.ts';
import { Redactor, type RedactOption } from './redaction.ts';
import { redactedLine, type RedactedLine } from './redacted-line.ts';
import type { TapEvent, TapSink } from './tapped.ts';
import { toTapeError } from './tape-error.ts';
import type { TapeHeader, TapeLaunch, TapeLaunchFile } from './tape-entry.ts';

export interface TapeTextOptions {
  /** Default: secrets are redacted. `false` redacts nothing; a function redacts more. */
  readonly redact?: RedactOption;
  /** The time of what is reported, in milliseconds as of `performance.now()`, which is the default. */
  readonly now?: () => number;
  /** How long partial messages may be gathered, which takes less time. Default: not at all. */
  readonly gatherMs?: number | undefined;
}

/** Where the text of a tape goes. */
export interface TapeTarget {
  /** Receives whole lines, the header with the first of them. */
  write(text: string): void;
  /** Called when no agent is left; more may follow. */
  idle?(): void;
}

/** A sink that makes the text of a tape. It begins with the first agent. */
export function tapeText(target: TapeTarget, options: TapeTextOptions = {}): TapSink {
  const { redact, gatherMs = 0, now = () => performance.now() } = options;
  const gathered = new GatheredBatches(gatherMs, () => write(''));
  const write = (text: string): void => {
    const all = gathered.take() + text;
    if (all !== '') target.write(all);
  };
  let began: number | undefined;
  let agents = 0;
  let running = 0;
  return (launch) => {
    agents += 1;
    running += 1;
    const agent = agents;
    const redactor = new Redactor(redact, launch.env);
    const header = began === undefined ? headerText(now()) : '';
    const zero = (began ??= now());
    const headAt = (at: number): string => `{"t":${tenths(at - zero)},"agent":${agent},`;
    write(header + headAt(now()) + fieldsOf(redactor, 'launch', toTapeLaunch(launch)));
    const toText: ToText = (batches) => partialText(batches, headAt, redactor);
    return (event) => {
      const at = now();
      if (event.kind === 'in' && event.lines.every(isPartialMessage)) {
        gathered.add({ at, lines: event.lines }, toText);
        return;
      }
      write(textOf(event, headAt(at), redactor));
      if (event.kind === 'exit' || event.kind === 'failed') running -= 1;
      if (running === 0) target.idle?.();
    };
  };
}

function headerText(began: number): string {
  const header: TapeHeader = { tape: 1, started: new Date(performance.timeOrigin + began).toISOString() };
  return `${JSON.stringify(header)}\n`;
}

const tenths = (ms: number): number => Math.round(ms * 10) / 10;

function textOf(event: TapEvent, head: string, redactor: Redactor): string {
  switch (event.kind) {
    case 'in':
      return batchText(event.lines, head, redactor);
    case 'out':
      return head + lineText('out', event.line, redactor);
    case 'close':
      return head + fieldsOf(redactor, 'close', event.atOnce ? 'at once' : 'in order');
    case 'exit':
      return head + fieldsOf(redactor, 'exit', event.exit);
    case 'failed':
    case 'broken':
      return head + fieldsOf(redactor, event.kind, toTapeError(event.error));
    default:
      return `${head}"${event.kind}":true}\n`;
  }
}

/** Joined and searched once for all lines of a read: most have nothing to redact. */
function batchText(lines: readonly string[], head: string, redactor: Redactor): string {
  const text = joined(lines, head);
  if (lines.every(isFrame) && !redactor.needs(text)) return text;
  return lines.map((line) => head + lineText('in', line, redactor)).join('');
}

/** The same for partial messages, of which a stream has thousands: searched once for all that were gathered. */
function partialText(batches: readonly Batch[], headAt: (at: number) => string, redactor: Redactor): string {
  const text = batches.map(({ at, lines }) => joined(lines, headAt(at))).join('');
  const areFrames = batches.every(({ lines }) => lines.every(isFrame));
  if (areFrames && !redactor.needsOfText(text)) return text;
  return batches.map(({ at, lines }) => batchText(lines, headAt(at), redactor)).join('');
}

const joined = (lines: readonly string[], head: string): string => `${head}"in":${lines.join(`}\n${head}"in":`)}}\n`;

/** The exact text of a frame stands last in its line, where a reader finds it again. */
function lineText(direction: 'in' | 'out', line: string, redactor: Redactor): string {
  const { text, isJson, redacted } =
    redactor.needs(line) || !isFrame(line) ? redactedLine(line, direction, redactor) : asItIs(line);
  const note = redacted.length === 0 ? '' : `"redacted":${JSON.stringify(redacted)},`;
  return isJson ? `${note}"${direction}":${text}}\n` : `${note}"${direction}Line":${JSON.stringify(text)}}\n`;
}

const asItIs = (text: string): RedactedLine => ({ text, isJson: true, redacted: [] });

/** Whether a line begins and ends like a frame. To parse each would cost more than all else that recording does. */
const isFrame = (line: string): boolean => line.startsWith('{"') && line.endsWith('}');

const isPartialMessage = (line: string): boolean => line.startsWith('{"type":"stream_event"');

function fieldsOf(redactor: Redactor, name: string, fields: unknown): string {
  const { value, redacted } = redactor.redact(fields, name);
  const note = redacted.length === 0 ? '' : `"redacted":${JSON.stringify(redacted)},`;
  return `${note}"${name}":${JSON.stringify(value)}}\n`;
}

/** Files that the launch has as lines are not read: they may be read once, and hold what the person has signed in with. */
function toTapeLaunch({
  args,
  env,
  cwd,
  ownFolder,
  initialize,
  configFolder,
  sessionId,
  leftovers,
}: Launch): TapeLaunch {
  return {
    args: args.map((argument) => (typeof argument === 'string' ? argument : toTapeFile(argument))),
    env,
    cwd,
    ownFolder,
    initialize,
    configFolder: configFolder && { files: configFolder.files.map(({ path }) => path) },
    sessionId,
    leftovers,
  };
}

function toTapeFile(argument: Exclude<Launch['args'][number], string>): TapeLaunchFile {
  const { name } = argument;
  return 'files' in argument
    ? { name, files: argument.files.map(({ path }) => path) }
    : { name, content: argument.content };
}
