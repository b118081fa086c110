import { JsonRpcProtocol } from '@hexagent/jsonrpc-protocol';
import { wireParser } from '@hexagent/parser';
import type { AgentMessage, Exit } from '@hexagent/ports';
import { CountedIds, HandClock, linkedTransport, microtasks, plainLaunch, RecordingObserver } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import {
  framesFrom,
  listRecordings,
  loadRecording,
  type RecordedFrame,
} from '../../packages/testing/test/recordings/load-recording.ts';
import { obligingHost } from './obliging-host.ts';

const fromTheCli = (await listRecordings())
  .filter(({ use }) => use === 'both' || use === 'cli-side')
  .map(({ name }) => name);

/** Malformed lines of the CLI itself. */
const odd: Readonly<Record<string, readonly string[]>> = {
  // The CLI answers a request without an id by a response without one.
  '15-malformed-stdin-lines': ['control_response: `response.request_id` is not a string'],
};

/** Types of frames that the protocol does not pass on. */
const control = new Set([
  'control_request',
  'control_response',
  'control_cancel_request',
  'keep_alive',
  'transcript_mirror',
]);

describe('The protocol', () => {
  it.for(fromTheCli)('delivers every message of recording %s in order, and answers every request', async (name) => {
    const frames = framesFrom(await loadRecording(name));
    const { messages, observer, agent, exit } = await receive(frames);
    expect(messages).toEqual(frames.filter(({ type }) => !control.has(type ?? '')));
    expect(observer.of('bad_line').map(({ reason }) => reason)).toEqual(odd[name] ?? []);
    expect(unanswered(frames, agent.received)).toEqual([]);
    expect(exit).toMatchObject({ code: 0 });
  });
});

/** Sends all frames at once to a protocol whose host answers every request. */
async function receive(frames: readonly RecordedFrame[]) {
  const { transport, agent } = linkedTransport();
  const observer = new RecordingObserver();
  const protocol = new JsonRpcProtocol({ parser: wireParser, ids: new CountedIds(), clock: new HandClock(), observer });
  const messages: AgentMessage[] = [];
  const connection = await transport.connect(plainLaunch());
  const exited = new Promise<Exit>((resolve) => {
    const host = obligingHost((message) => messages.push(message), resolve);
    protocol.open(connection, { conversation: 'c', initialize: {}, host });
  });
  agent.write(...frames);
  await microtasks(1000);
  agent.exit();
  return { messages, observer, agent, exit: await exited };
}

/** Requests of the agent without an answer, except those that it cancelled. */
function unanswered(
  frames: readonly RecordedFrame[],
  written: readonly { readonly response?: { readonly request_id?: unknown } | undefined }[],
): unknown[] {
  const answered = new Set(written.map(({ response }) => response?.request_id));
  const withdrawn = new Set(
    frames.filter(({ type }) => type === 'control_cancel_request').map((frame) => frame['request_id']),
  );
  return frames
    .filter(({ type }) => type === 'control_request')
    .map((frame) => frame['request_id'])
    .filter((id) => !answered.has(id as string) && !withdrawn.has(id));
}
