import type { InterruptOutcome } from '@hexagent/ports';
import { failing, faulty, handles, interrupts, isOf, reads, talks, type Fault } from './faulty-conversations.ts';

/** Of what an interrupt achieves. */
export const ofInterrupts: readonly Fault[] = [
  [
    'asks the agent although nothing runs',
    talks((kept) => ({
      interrupt: handles(async () => {
        const outcome = await kept.interrupt();
        if (outcome === 'nothing_running') void kept.control('interrupt').catch(() => {});
        return outcome;
      }),
    })),
    'is `nothing_running` when nothing was sent, and asks the agent nothing',
  ],
  [
    'interrupts once the message was received',
    interrupts(
      (interrupt, { received }) =>
        () =>
          received.then(interrupt),
    ),
    [
      'is `interrupted` when the turn was stopped; the request follows its message at once',
      'fails as the turn does',
      'is `cancelled` also before the agent has begun with the first message',
      'is `too_late` when the turn ran meanwhile; the one after it is left alone',
      'waits when the agent does not let the message go, and leaves the running turn alone',
      'reads what the agent still writes, although an earlier turn is unread and paused it',
    ],
  ],
  [
    'calls each turn interrupted that was to be',
    interrupts((interrupt) => async () => {
      const outcome = await interrupt();
      return outcome === 'too_late' ? 'interrupted' : outcome;
    }),
    [
      'is `too_late` when the turn ends by itself, whatever the receipt claims',
      'is `too_late` for a turn that has ended, and asks the agent nothing',
      'is `too_late` for a message that the agent had handled before',
      'is read from what follows the result of a local command, which gives no reason',
      'is `too_late` when nothing follows the result of a local command; the next turn is left alone',
      'is read from the result alone of an older agent, which reports nothing of messages',
      'is `too_late` when the turn ran meanwhile; the one after it is left alone',
      'waits when the agent does not let the message go, and leaves the running turn alone',
    ],
  ],
  [
    'interrupts the next turn instead',
    interrupts((interrupt, _, conversation) => async () => {
      const outcome = await interrupt();
      if (outcome === 'too_late') void conversation.interrupt().catch(() => {});
      return outcome;
    }),
    [
      'is `too_late` for a turn that has ended, and asks the agent nothing',
      'is `too_late` when the turn ran meanwhile; the one after it is left alone',
    ],
  ],
  [
    'calls what the agent had handled cancelled',
    interrupts((interrupt, turn) => async () => {
      const outcome = await interrupt();
      return (await turn.result).kind === 'cancelled' ? 'cancelled' : outcome;
    }),
    'is `too_late` for a message that the agent had handled before',
  ],
  [
    'waits for the receipt',
    faulty(() => {
      const asked = new Set<unknown>();
      const received: (() => void)[] = [];
      return {
        writes(frame) {
          if (frame.type === 'control_request' && frame.request.subtype === 'interrupt') asked.add(frame.request_id);
          return frame;
        },
        reads(frame) {
          const { request_id: id } = (frame['response'] ?? {}) as { request_id?: unknown };
          if (asked.delete(id)) for (const receive of received) receive();
          return frame;
        },
        turn: (kept) => ({
          interrupt: handles(async () => {
            const receipt = new Promise<void>((resolve) => received.push(resolve));
            const outcome = await kept.interrupt();
            if (outcome === 'interrupted') await receipt;
            return outcome;
          }),
        }),
      };
    }),
    [
      'comes without the receipt once the turn has ended',
      'resolves an interrupt with the outcome of the turn, and sends no further request',
    ],
  ],
  [
    'asks the agent for each interrupt',
    talks((kept) => ({
      interrupt() {
        const interrupting = kept.interrupt();
        void kept.control('interrupt').catch(() => {});
        return interrupting;
      },
    })),
    [
      'is `nothing_running` when nothing was sent, and asks the agent nothing',
      'is asked for once by all who ask at once: one more could stop the next turn',
    ],
  ],
  [
    'interrupts a turn once',
    interrupts((interrupt) => {
      let first: Promise<InterruptOutcome> | undefined;
      return () => (first ??= interrupt());
    }),
    [
      'is requested again when the agent has confirmed it and continues',
      'rejects when the agent refuses it, and may be tried again',
    ],
  ],
  [
    'takes a refusal for an outcome',
    interrupts((interrupt) => async () => (await failing(interrupt(), isOf('REQUEST_FAILED'))) ?? 'too_late'),
    'rejects when the agent refuses it, and may be tried again',
  ],
  [
    'reads no message that was taken out of the queue',
    reads('command_lifecycle', ({ state }) => (state === 'cancelled' ? { state: 'completed' } : {})),
    [
      'ends without a result when the agent drops the message from its queue',
      'is read from what follows the result of a local command, which gives no reason',
      'is `cancelled` when the message was taken out of the queue; the running turn continues',
      'is `cancelled` also before the agent has begun with the first message',
    ],
  ],
  [
    'takes the exit for an outcome',
    interrupts((interrupt) => async () => (await failing(interrupt(), isOf('AGENT_EXITED'))) ?? 'too_late'),
    'fails as the turn does',
  ],
  [
    'interrupts what is queued',
    interrupts((interrupt, _, conversation) => () => {
      const interrupting = interrupt();
      void conversation.interrupt().catch(() => {});
      return interrupting;
    }),
    [
      'is `too_late` for a turn that has ended, and asks the agent nothing',
      'is `cancelled` when the message was taken out of the queue; the running turn continues',
      'is `too_late` when the turn ran meanwhile; the one after it is left alone',
      'waits when the agent does not let the message go, and leaves the running turn alone',
    ],
  ],
];
