import { linkedTransport, microtasks, type LinkedAgent, type ReceivedFrame } from '@hexagent/testing';
import type { RecordedFrame, Recording } from '../../packages/testing/test/recordings/load-recording.ts';
import { Program, type Ending, type ReplayedParts } from './program.ts';
import { requestOf } from './recorded-callbacks.ts';

export interface Replayed {
  readonly yielded: readonly unknown[];
  readonly ending: Ending;
  /** What our stack wrote otherwise than the official SDK did. */
  readonly differences: readonly string[];
}

/**
 * Plays a recording on both sides: the program does what it did, the agent sends what it sent, each in its recorded
 * place; what our stack writes is compared with what was written then.
 */
export async function replay(recording: Recording, parts: ReplayedParts = {}): Promise<Replayed> {
  const { transport, agent } = linkedTransport();
  const program = new Program(recording, transport, parts);
  const tape = new Tape(agent, program);
  for (const { dir, frame } of recording.entries) {
    if (dir === 'in') await tape.expect(frame);
    if (dir === 'out') await tape.write(frame);
    if (dir === 'meta') await tape.note(frame, recording);
  }
  const ending = await tape.over();
  return { yielded: program.yielded, ending, differences: [...tape.differences, ...tape.extras()] };
}

class Tape {
  readonly differences: string[] = [];
  readonly #agent: LinkedAgent;
  readonly #program: Program;
  /** Our ids, by the recorded ones. */
  readonly #ids = new Map<unknown, string>();
  readonly #matched = new Set<ReceivedFrame>();
  #stderr = '';
  #stopped = false;

  constructor(agent: LinkedAgent, program: Program) {
    this.#agent = agent;
    this.#program = program;
  }

  /** Something was written here: makes the program do what led to it, and finds what we wrote. */
  async expect(frame: RecordedFrame): Promise<void> {
    if (frame.type === 'user') this.#program.sendUserMessage(frame);
    if (frame.type === 'control_response') this.#program.callbacks.answer(frame);
    const request = frame.type === 'control_request' && requestOf(frame)['subtype'] !== 'initialize';
    if (request && !this.#program.ask(frame)) this.differences.push(`no method: ${brief(frame)}`);
    await microtasks(200);
    if (request) this.#program.did(frame);
    const ours = this.#agent.received.find((written) => !this.#matched.has(written) && isSame(written, frame));
    if (ours === undefined) {
      if (!this.#stopped) this.differences.push(`not written: ${brief(frame)}`);
      return;
    }
    this.#matched.add(ours);
    if (frame.type === 'control_request') this.#ids.set(frame['request_id'], ours.request_id ?? '');
    const [theirs, written] = [normal(frame), normal(withoutOwn(ours, frame))];
    if (theirs !== written) this.differences.push(`written: ${written} instead of ${theirs}`);
  }

  async write(frame: RecordedFrame): Promise<void> {
    this.#agent.write(this.#withOurIds(frame));
    await microtasks(200);
  }

  async note(frame: RecordedFrame, { name }: Recording): Promise<void> {
    const { event, call } = frame;
    if (event === 'stderr') this.#stderr += String(frame['data']);
    if (call === 'abort()') this.#stop(() => this.#program.abort());
    if (call === 'close()') this.#stop(() => this.#program.close());
    if (name === '41-break-from-iterator' && event === 'stdin_end') this.#stop(() => void this.#program.leave());
    if (name === '40-generator-throws' && event === 'stdin_end') this.#program.fail(new Error('The generator failed.'));
    await microtasks(200);
    // The input is ended one task after the agent was idle.
    await new Promise(setImmediate);
    if (event === 'exit') this.#exit(frame);
    await microtasks(200);
  }

  async over(): Promise<Ending> {
    this.#agent.exit();
    return await this.#program.ended;
  }

  extras(): string[] {
    return this.#agent.received
      .filter((written) => !this.#matched.has(written))
      .map((written) => `also written: ${normal(written)}`);
  }

  #stop(how: () => void): void {
    this.#stopped = true;
    how();
  }

  #exit({ code, signal }: RecordedFrame): void {
    if (!this.#agent.inputEnded && code === 0) this.differences.push('our input was not ended at the exit');
    this.#agent.exit({ code: code as number | null, signal: signal as string | null, stderr: this.#stderr });
  }

  #withOurIds(frame: RecordedFrame): RecordedFrame {
    if (frame.type !== 'control_response') return frame;
    const response = frame['response'] as Readonly<Record<string, unknown>>;
    return {
      ...frame,
      response: { ...response, request_id: this.#ids.get(response['request_id']) ?? response['request_id'] },
    };
  }
}

function isSame(written: ReceivedFrame, recorded: RecordedFrame): boolean {
  if (written.type !== recorded.type) return false;
  if (written.type === 'control_request') return written.request?.subtype === requestOf(recorded)['subtype'];
  if (written.type !== 'control_response') return true;
  return written.response?.request_id === (recorded['response'] as { readonly request_id: string }).request_id;
}

/** Wanted: each of our messages has a uuid, so that its turn can be identified (DESIGN 5). */
function withoutOwn(written: ReceivedFrame, recorded: RecordedFrame): ReceivedFrame {
  if (written.type !== 'user' || recorded['uuid'] !== undefined) return written;
  const { uuid: _, ...rest } = written;
  return rest;
}

/** Without what no two runs share, and without what is the official SDK's own and means nothing to the CLI. */
function normal(frame: RecordedFrame | ReceivedFrame): string {
  const { request_id: _, ...rest } = frame as Readonly<Record<string, unknown>>;
  return JSON.stringify(rest, (key, value: unknown) => {
    if (key === 'toolUseID' || key === 'sdkMcpServerManifests') return undefined;
    return sorted(value);
  });
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function brief(frame: RecordedFrame): string {
  return JSON.stringify(frame).slice(0, 160);
}
