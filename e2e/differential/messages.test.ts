import { describe, expect, it } from 'vitest';
import { finishTurn, obliging, stateMessage } from './behaviours.ts';
import { compare, type Program } from './run.ts';
import type { WireFrame } from './stand-in.ts';

const hello: Program = ({ query }, { options }) => query({ prompt: 'hello', options });

/** An agent that writes these before it finishes its turn. */
const writing = (...frames: readonly (WireFrame | string)[]) =>
  obliging({
    message: (_, agent) => {
      for (const frame of frames) agent.write(frame);
      finishTurn(agent);
      return true;
    },
  });

describe('A frame', () => {
  it.each<readonly [string, WireFrame]>([
    ['the state, for the host', { ...stateMessage('running'), sdk_host_only: true }],
    ['the state, for everybody', { ...stateMessage('running'), sdk_host_only: false }],
    ['another one for the host', { type: 'system', subtype: 'from_the_future', sdk_host_only: true }],
    ['a message for the host', { type: 'assistant', message: { role: 'assistant', content: [] }, sdk_host_only: true }],
    ['an unknown type', { type: 'from_the_future', a: 1 }],
    ['an unknown subtype', { type: 'system', subtype: 'from_the_future' }],
    ['the life of a message', { type: 'command_lifecycle', command_uuid: 'x', state: 'queued' }],
    ['a sign of life', { type: 'keep_alive' }],
    ['a mirror of the transcript', { type: 'transcript_mirror', filePath: '/x', entries: [] }],
    ['what looks like control', { type: 'control_from_the_future' }],
  ])('is yielded, or withheld, as in the official package: %s', async (_, frame) => {
    const { official, ours } = await compare(hello, { standIn: writing({ ...frame, mark: 'here' }) });
    const marked = [official, ours].map(({ messages }) => messages.filter(({ mark }) => mark === 'here'));
    expect(marked[1]).toEqual(marked[0]);
    expect(ours.messages.at(-1)).toMatchObject({ type: 'result' });
  });

  it.each<readonly [string, WireFrame]>([
    ['no type', { mark: 'here' }],
    ['a number as its type', { type: 5, mark: 'here' }],
  ])('that is malformed is skipped, while in the official package it is yielded: %s', async (_, frame) => {
    const { official, ours } = await compare(hello, { standIn: writing(frame) });
    expect(official.messages).toContainEqual(frame);
    expect(ours.messages).not.toContainEqual(frame);
    expect(ours.thrown).toBeUndefined();
  });
});
