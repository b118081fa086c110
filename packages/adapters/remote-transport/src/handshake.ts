import { SdkError, formatExit, type Connection, type ErrorCode } from '@hexagent/ports';
import type { FarFile } from './far-script.ts';

export interface HandshakeOptions {
  /** Begins each line that the script of the far side writes itself. */
  readonly token: string;
  readonly place: string;
  /** In the order in which they are asked for. */
  readonly files: readonly FarFile[];
  /** How long each answer may take. */
  readonly timeoutMs: number;
}

/** What the agent has written so far, and what it writes from now on. */
export interface Shaken {
  readonly unread: readonly string[];
  readonly frames: AsyncIterator<readonly string[]>;
}

/** Lines of other programs, such as the greeting of a login, that are kept for a message. */
const keptLines = 5;

/**
 * Sends the script, and then each file when the far side asks for it. Nothing is sent that is not awaited there: a shell may
 * read ahead, and would take it for a part of the script.
 */
export class Handshake {
  readonly #local: Connection;
  readonly #options: HandshakeOptions;
  readonly #others: string[] = [];
  #late: NodeJS.Timeout | undefined;
  #isLate = false;

  constructor(local: Connection, options: HandshakeOptions) {
    this.#local = local;
    this.#options = options;
  }

  /** @throws {SdkError} a code that names the cause. The connection is then the caller's to close. */
  async start(script: string): Promise<Shaken> {
    const files = this.#options.files[Symbol.iterator]();
    const frames = this.#local.frames[Symbol.asyncIterator]();
    this.#send(script);
    try {
      for (;;) {
        const { done, value: lines = [] } = await frames.next();
        if (done === true) throw await this.#unreachable();
        const unread = this.#read(lines, files);
        if (unread !== undefined) return { unread, frames };
      }
    } finally {
      clearTimeout(this.#late);
    }
  }

  /** The lines behind the last answer; `undefined` before that. */
  #read(lines: readonly string[], files: Iterator<FarFile>): readonly string[] | undefined {
    for (const [index, line] of lines.entries()) {
      const answer = this.#answerIn(line);
      if (answer === 'ready') return lines.slice(index + 1);
      if (answer === 'send') this.#sendFile(files.next());
      else if (answer?.startsWith('refused ')) throw refusal(answer, this.#options.place);
      else if (line.trim() !== '' && this.#others.push(line) > keptLines) this.#others.shift();
    }
    return undefined;
  }

  #answerIn(line: string): string | undefined {
    const { token } = this.#options;
    return line.startsWith(`${token} `) ? line.slice(token.length + 1) : undefined;
  }

  #sendFile({ done, value }: IteratorResult<FarFile>): void {
    if (done === true) return;
    const content = value.content();
    // A line's end is added to what is sent, and a content has it already.
    this.#send(content === '' ? '0' : `${Buffer.byteLength(content)}\n${content.slice(0, -1)}`);
  }

  #send(text: string): void {
    this.#local.send(text).catch(() => {}); // the exit reports the same
    clearTimeout(this.#late);
    const { timeoutMs } = this.#options;
    if (timeoutMs === 0 || timeoutMs === Infinity) return;
    this.#late = setTimeout(() => {
      this.#isLate = true;
      void this.#local.close({ atOnce: true });
    }, timeoutMs);
  }

  async #unreachable(): Promise<SdkError> {
    const { place, timeoutMs } = this.#options;
    const exit = await this.#local.exit;
    const lines = [...exit.stderr.trimEnd().split('\n').slice(-keptLines), ...this.#others].filter(
      (line) => line !== '',
    );
    const how = this.#isLate ? `there was no answer within ${timeoutMs} ms` : `the command ${formatExit(exit)}`;
    const written = lines.length === 0 ? '' : ` It wrote: ${lines.join('\n')}`;
    return new SdkError('PLACE_UNREACHABLE', `Could not reach ${place}: ${how}.${written}`);
  }
}

const refusals: Readonly<Record<string, readonly [ErrorCode, (detail: string) => string]>> = {
  missing: [
    'AGENT_NOT_FOUND',
    (name) =>
      `There is no ${name} there: it is neither in PATH nor in a usual place. Install it, or name its path as \`cli\`.`,
  ],
  unusable: ['AGENT_NOT_EXECUTABLE', (path) => `${path} may not be executed there.`],
  cwd: ['CWD_MISSING', (reason) => `The working directory cannot be entered there (${reason}).`],
  folder: ['AGENT_START_FAILED', (reason) => `No private files could be written there (${reason}).`],
};

function refusal(answer: string, place: string): SdkError {
  const [, kind = '', detail = ''] = /^refused (\S*) ?(.*)$/.exec(answer) ?? [];
  const [code, text] = refusals[kind] ?? [
    'PLACE_UNREACHABLE',
    () => 'The connection ended while files were being sent.',
  ];
  return new SdkError(code, `${place}: ${text(detail.trim())}`);
}
