import { errorText, isRecord } from '@hexagent/checks';
import type { AgentMessage, Frame, FrameParser, Host, TranscriptMirrorFrame } from '@hexagent/ports';
import type { Incoming } from './incoming.ts';
import type { Outgoing } from './outgoing.ts';
import type { SafeObserver } from './safe-observer.ts';

/** Lines become frames, and each frame goes where it belongs before the next one is read. */
export class Reader {
  readonly #parser: FrameParser;
  readonly #observer: SafeObserver;
  readonly #host: Host;
  readonly #outgoing: Outgoing;
  readonly #incoming: Incoming;
  #isDiscarding = false;

  constructor(ports: {
    readonly parser: FrameParser;
    readonly observer: SafeObserver;
    readonly host: Host;
    readonly outgoing: Outgoing;
    readonly incoming: Incoming;
  }) {
    this.#parser = ports.parser;
    this.#observer = ports.observer;
    this.#host = ports.host;
    this.#outgoing = ports.outgoing;
    this.#incoming = ports.incoming;
  }

  /** Delivers nothing more to the host, not even the rest of the current batch. */
  discard(): void {
    this.#isDiscarding = true;
  }

  readonly read = (lines: readonly string[]): void => {
    for (const line of lines) {
      if (this.#isDiscarding) break;
      const malformed = this.#read(line);
      if (malformed !== undefined) this.#reportBadLine(line, malformed, true);
    }
  };

  /** Reads a line without an ending. Returns whether it is a whole frame. */
  readLast(line: string): boolean {
    return this.#isDiscarding || this.#read(line) === undefined;
  }

  /** A line that was delivered is a message, and what is wrong with it was reported then. */
  reread(line: string): AgentMessage {
    return this.#parser.parse(line) as AgentMessage;
  }

  /** Returns why the line is not a frame; `undefined` for a frame. */
  #read(line: string): string | undefined {
    const suspect = (reason: string): void => this.#reportBadLine(line, reason, false);
    let frame: Frame | undefined;
    try {
      // A message that is not as expected is delivered all the same, so it is checked for observers only.
      frame = this.#parser.parse(line, this.#observer.active ? suspect : undefined);
    } catch (error) {
      return errorText(error);
    }
    if (frame === undefined) return undefined;
    if (this.#observer.active) this.#observer.received(frame, line.length);
    this.#route(frame, line);
    return undefined;
  }

  #route(frame: Frame, line: string): void {
    switch (frame.type) {
      case 'control_response':
        return this.#answered(frame);
      case 'control_request':
        return this.#incoming.asked(frame);
      case 'control_cancel_request':
        return this.#incoming.withdrawn(frame);
      case 'keep_alive':
        return;
      case 'transcript_mirror':
        return this.#mirror(frame as TranscriptMirrorFrame, line.length);
      default:
        this.#deliver(frame as AgentMessage, line); // open by design: unknown types are delivered unchanged
    }
  }

  /** The answer to `initialize` lists the requests for which the agent still waits. Those that are open here are not asked again. */
  #answered(frame: Frame & { readonly response?: unknown }): void {
    const answered = this.#outgoing.answered(frame);
    if (answered?.request.subtype !== 'initialize') return;
    for (const pending of pendingRequests(frame.response)) this.#incoming.asked(pending);
  }

  #mirror(frame: TranscriptMirrorFrame, bytes: number): void {
    try {
      this.#host.mirror?.(frame, bytes);
    } catch (error) {
      this.#observer.hostFailed('transcript_mirror', error);
    }
  }

  #deliver(message: AgentMessage, line: string): void {
    try {
      this.#host.message(message, line.length, line);
    } catch (error) {
      this.#observer.hostFailed('message', error);
    }
  }

  #reportBadLine(line: string, reason: string, skipped: boolean): void {
    if (this.#observer.active) this.#observer.report({ kind: 'bad_line', line, reason, skipped });
  }
}

/** The lists in the answer to `initialize`, and the requests that each holds. */
const lists = {
  pending_permission_requests: 'can_use_tool',
  pending_user_dialog_requests: 'request_user_dialog',
  pending_elicitation_requests: 'elicitation',
} as const;

/** The requests that the agent reports as still open. Malformed ones are left out. */
function pendingRequests(response: unknown): readonly (Frame & { readonly request_id?: unknown })[] {
  if (!isRecord(response)) return [];
  return Object.entries(lists).flatMap(([list, subtype]) => {
    const pending = response[list];
    return Array.isArray(pending) ? pending.filter((frame) => isRequestOf(frame, subtype)) : [];
  });
}

function isRequestOf(frame: unknown, subtype: string): frame is Frame {
  return (
    isRecord(frame) &&
    frame['type'] === 'control_request' &&
    isRecord(frame['request']) &&
    frame['request']['subtype'] === subtype
  );
}
