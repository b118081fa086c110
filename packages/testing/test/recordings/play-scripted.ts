import type { Connection, Exit } from '@hexagent/ports';
import {
  gate,
  linkedTransport,
  microtasks,
  plainLaunch,
  scriptedAgent,
  type AgentScript,
  type Gate,
} from '@hexagent/testing';
import { framesFrom, type RecordedEntry, type RecordedFrame, type Recording } from './load-recording.ts';

export interface Played {
  readonly frames: readonly RecordedFrame[];
  readonly exit: Exit;
}

/**
 * Sends a scripted agent the lines of a recording, at the same places, and returns the frames that it writes. Where the
 * CLI continued by itself (a shell ended), the next of `gates` is opened.
 */
export async function playScripted(
  recording: Recording,
  script: AgentScript,
  gates: readonly Gate[] = [],
): Promise<Played> {
  const start = gate();
  const { transport } = linkedTransport(scriptedAgent({ stateFrames: reportsState(recording), start, ...script }));
  const connection = await transport.connect(plainLaunch({ args: argsOf(recording) }));
  const frames: RecordedFrame[] = [];
  const reading = read(connection, frames);
  const closed = [...gates];
  let expected = 0;
  let wroteBefore = false;
  for (const entry of recording.entries) {
    // Lines that were written in one go are read in one go.
    if (entry.dir !== 'in' || !wroteBefore) await microtasks();
    wroteBefore = entry.dir === 'in';
    // The CLI reads nothing before it has started, a few hundred milliseconds in.
    if (entry.dir === 'out' || entry.frame['event'] === 'exit') start.open();
    if (entry.dir !== 'in') await microtasks();
    if (entry.dir === 'out') expected += 1;
    if (entry.dir === 'out' && frames.length < expected) closed.shift()?.open();
    if (entry.dir === 'in') await send(connection, lineFor(entry, recording, frames));
    if (entry.frame['event'] === 'stdin_end') await connection.end();
  }
  await microtasks();
  await connection.close();
  await reading;
  return { frames, exit: await connection.exit };
}

async function read(connection: Connection, frames: RecordedFrame[]): Promise<void> {
  // The scripted agent writes JSON objects.
  for await (const batch of connection.frames) frames.push(...batch.map((line) => JSON.parse(line) as RecordedFrame));
}

/** Sends a line. After the exit of the agent it is lost, as in the recording. */
async function send(connection: Connection, line: string): Promise<void> {
  await connection.send(line).catch(() => {});
}

function lineFor({ frame }: RecordedEntry, recording: Recording, frames: readonly RecordedFrame[]): string {
  if (typeof frame['raw'] === 'string') return frame['raw'];
  if (isStopTask(frame))
    return JSON.stringify({ ...frame, request: { subtype: 'stop_task', task_id: taskFor(frame, recording, frames) } });
  const response = frame['response'] as { readonly request_id?: unknown } | undefined;
  if (frame.type !== 'control_response' || response === undefined) return JSON.stringify(frame);
  const recorded = framesFrom(recording).filter(isRequest);
  const index = recorded.findIndex((request) => request['request_id'] === response.request_id);
  const asked = frames.filter(isRequest)[index];
  return JSON.stringify({
    ...frame,
    response: { ...response, request_id: asked?.['request_id'] ?? response.request_id },
  });
}

function isStopTask({ request }: RecordedFrame): boolean {
  return (request as { readonly subtype?: string } | undefined)?.subtype === 'stop_task';
}

function taskFor({ request }: RecordedFrame, recording: Recording, frames: readonly RecordedFrame[]): unknown {
  const started = (all: readonly RecordedFrame[]) =>
    all.filter(({ subtype }) => subtype === 'task_started').map((frame) => frame['task_id']);
  const index = started(framesFrom(recording)).indexOf((request as { readonly task_id?: unknown }).task_id);
  return started(frames)[index];
}

function isRequest(frame: RecordedFrame): boolean {
  return frame.type === 'control_request';
}

function argsOf({ entries }: Recording): readonly string[] {
  const spawned = entries.find(({ frame }) => frame['event'] === 'spawn');
  return (spawned?.frame['args'] ?? []) as readonly string[];
}

function reportsState(recording: Recording): boolean {
  return framesFrom(recording).some(({ subtype }) => subtype === 'session_state_changed');
}
