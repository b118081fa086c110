import type { ChatSessions } from '@hexagent/ports';

import { anybody, bodyThrough, throughout, type Fault } from './contract-faults.ts';

export const ofStreams: readonly Fault<ChatSessions>[] = [
  [
    'gives a reader what comes from now on',
    (kept) => ({
      async stream(...given) {
        const stream = await kept.stream(...given);
        let isFirst = true;
        const fromNowOn = new TransformStream<Uint8Array, Uint8Array>({
          transform: (chunk, controller) => {
            if (!isFirst) controller.enqueue(chunk);
            isFirst = false;
          },
        });
        return stream && { ...stream, body: stream.body.pipeThrough(fromNowOn) };
      },
    }),
    'gives every reader the whole turn, whenever it came',
  ],
  [
    'says everything twice',
    bodyThrough((chunk, controller) => {
      controller.enqueue(chunk);
      controller.enqueue(chunk);
    }),
    'accepts a message, and streams its turn to the end',
  ],
  [
    'drops what a reader does not read in time',
    bodyThrough((chunk, controller) => {
      if (chunk.length < 1000) controller.enqueue(chunk);
    }),
    'holds up neither the agent nor other readers for one that does not read',
  ],
  [
    'does not say which format its streams have',
    throughout(({ body }) => ({ headers: {}, body })),
    'accepts a message, and streams its turn to the end',
  ],
  [
    'stops a turn with its first reader',
    (kept) => ({
      async start(chat, input, sendOptions, caller) {
        const started = await kept.start(chat, input, sendOptions, caller);
        if (started.kind !== 'accepted') return started;
        const reader = started.stream.body.getReader();
        const body = new ReadableStream<Uint8Array>({
          async pull(controller) {
            const { done, value } = await reader.read();
            if (done) controller.close();
            else controller.enqueue(value);
          },
          cancel: () => void kept.interrupt(chat, caller),
        });
        return { kind: 'accepted', stream: { ...started.stream, body } };
      },
    }),
    'leaves a turn running when all readers go, for those who come back',
  ],
  [
    'has a stream when the agent begins, and not before',
    () => ({ stream: async () => undefined }),
    'has a stream from the moment at which a message is accepted',
  ],
  [
    'reports a stop where nothing ran',
    (kept) => ({ interrupt: (...given) => kept.interrupt(...given).then(() => true) }),
    'reports that there was no turn to stop',
  ],
  [
    'stops nothing',
    (kept) => ({ interrupt: async (chat, { tenant }) => kept.turnOf(chat, tenant) !== undefined }),
    'stops a turn that runs, ends its streams, and takes the next message',
  ],
  [
    'stops a chat of everybody',
    (kept) => ({ interrupt: (chat) => kept.interrupt(chat, anybody) }),
    'stops no turn of another chat, nor of another tenant',
  ],
];
