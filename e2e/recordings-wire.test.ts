import { JsonRpcProtocol } from '@hexagent/jsonrpc-protocol';
import { wireParser } from '@hexagent/parser';
import type { AgentMessage, Exit, OutboundFrame } from '@hexagent/ports';
import { CountedIds, HandClock, linkedTransport, microtasks, plainLaunch, RecordingObserver } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import {
  framesFrom,
  listRecordings,
  loadRecording,
  type RecordedFrame,
} from '../packages/testing/test/recordings/load-recording.ts';
import { obligingHost } from './recordings/obliging-host.ts';

const all = await listRecordings();
const fromTheCli = all.filter(({ use }) => use === 'both' || use === 'cli-side').map(({ name }) => name);
const fromTheSdk = all.filter(({ use }) => use === 'both').map(({ name }) => name);

/** Lines of the CLI that are odd in themselves. */
const odd: Readonly<Record<string, readonly string[]>> = {
  // It answers a request that had no id, without one.
  '15-malformed-stdin-lines': ['control_response: `response.request_id` is no string'],
};

/** What stops in the protocol. */
const control = new Set([
  'control_request',
  'control_response',
  'control_cancel_request',
  'keep_alive',
  'transcript_mirror',
]);

describe('The parser', () => {
  it.for(fromTheCli)(
    'takes every line of the CLI in recording %s without a doubt, and hands on all of it',
    async (name) => {
      const doubts: string[] = [];
      for (const frame of framesFrom(await loadRecording(name))) {
        expect(wireParser.parse(JSON.stringify(frame), (doubt) => doubts.push(doubt))).toEqual(frame);
      }
      expect(doubts).toEqual(odd[name] ?? []);
    },
  );

  it.for(fromTheSdk)('writes every line that the official SDK wrote in recording %s', async (name) => {
    const { entries } = await loadRecording(name);
    for (const { frame } of entries.filter(({ dir }) => dir === 'in')) {
      expect(JSON.parse(written(frame))).toEqual(frame);
    }
  });
});

describe('The protocol', () => {
  it.for(fromTheCli)(
    'hands on every message of recording %s, in order, and leaves no request unanswered',
    async (name) => {
      const frames = framesFrom(await loadRecording(name));
      const { messages, observer, agent, exit } = await hear(frames);
      expect(messages).toEqual(frames.filter(({ type }) => !control.has(type ?? '')));
      expect(observer.of('bad_line').map(({ reason }) => reason)).toEqual(odd[name] ?? []);
      expect(unanswered(frames, agent.received)).toEqual([]);
      expect(exit).toMatchObject({ code: 0 });
    },
  );
});

/** What the official SDK writes are frames of the kinds that we write as well. */
function written(frame: object): string {
  return wireParser.stringify(frame as OutboundFrame);
}

/** Lets an agent say all of it at once to a protocol whose host obliges. */
async function hear(frames: readonly RecordedFrame[]) {
  const { transport, agent } = linkedTransport();
  const observer = new RecordingObserver();
  const protocol = new JsonRpcProtocol({ parser: wireParser, ids: new CountedIds(), clock: new HandClock(), observer });
  const messages: AgentMessage[] = [];
  const connection = await transport.connect(plainLaunch());
  const exited = new Promise<Exit>((resolve) => {
    const host = obligingHost((message) => messages.push(message), resolve);
    protocol.open(connection, { conversation: 'c', initialize: {}, awaitInitialize: false, host });
  });
  agent.write(...frames);
  await microtasks(1000);
  agent.exit();
  return { messages, observer, agent, exit: await exited };
}

/** Requests of the agent that got no answer, except those it took back. */
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
