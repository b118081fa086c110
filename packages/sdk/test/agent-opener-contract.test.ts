import type { AgentOpener, ConversationEvent, HostedAgent } from '@hexagent/ports';
import { createSdk } from '@hexagent/sdk';
import { gate, linkedTransport, reply, scriptedAgent, type AgentScript } from '@hexagent/testing';
import { agentOpenerContract, plantedFaults, withFault, type AgentOpenerFixture } from '@hexagent/testing/contracts';
import { describe, it } from 'vitest';

/** Sessions of the facade, with agents in this process. */
function createOpener(): AgentOpener {
  const turns: AgentScript['turns'] = ({ message }) => (message?.content === 'wait' ? reply.hold(gate()) : 'answered');
  const { openSession } = createSdk({ transport: linkedTransport(scriptedAgent({ turns })).transport });
  return ({ options }) => openSession(options);
}

const kept: AgentOpenerFixture = { createOpener, canSuspend: true };

/** The agents of sessions, with some members replaced. */
const spoiled = (change: (agent: HostedAgent) => Partial<HostedAgent>): AgentOpenerFixture => ({
  ...kept,
  createOpener: () => async (request) => withFault(await createOpener()(request), change),
});

async function* events(
  agent: HostedAgent,
  change: (event: ConversationEvent) => readonly ConversationEvent[],
): AsyncIterable<ConversationEvent> {
  for await (const event of agent.events()) yield* change(event);
}

agentOpenerContract({ describe, it }, kept);

describe('The contract of agents that a host opens', () => {
  plantedFaults(
    { it },
    {
      suite: agentOpenerContract,
      kept,
      rounds: 2000,
      faults: [
        [
          'opens a session of its own',
          {
            ...kept,
            createOpener: () => (request) =>
              createOpener()({ ...request, options: { signal: request.options.signal } }),
          },
          'opens the session that it is given, new or resumed',
        ],
        [
          'opens what nobody needs',
          {
            ...kept,
            createOpener: () => async (request) => {
              const { signal } = request.options;
              if (!signal.aborted) return await createOpener()(request);
              return await createOpener()({
                ...request,
                options: { ...request.options, signal: new AbortController().signal },
              });
            },
          },
          'rejects with an AbortError where the agent is not needed any more',
        ],
        ['never starts up', spoiled(() => ({ ready: new Promise(() => {}) })), 'opens agents that start up'],
        [
          'counts its events backwards',
          spoiled((agent) => ({ events: () => events(agent, (event) => [{ ...event, seq: -event.seq }]) })),
          'reports what happens in one order, each turn by the uuid of its message',
        ],
        [
          'reports no results',
          spoiled((agent) => ({
            events: () =>
              events(agent, (event) => (event.kind === 'message' && event.message.type === 'result' ? [] : [event])),
          })),
          'answers with an outcome and the messages before it',
        ],
        [
          'is idle at any time',
          spoiled(() => ({ idle: async () => {} })),
          'resolves `idle()` when nothing is alive, and not before',
        ],
        [
          'reports that it has stopped a turn where there is none',
          spoiled((agent) => ({
            async interrupt() {
              await agent.interrupt();
              return 'interrupted';
            },
          })),
          'stops the turn that runs, and reports where there is none',
        ],
        [
          'ends at once in `finish()`',
          spoiled((agent) => ({ finish: () => agent.close() })),
          'lets what was sent finish in `finish()`, and exits then',
        ],
        [
          'rejects when it is closed twice',
          spoiled((agent) => {
            let isClosing = false;
            let calls = 0;
            return {
              async close() {
                calls += 1;
                if (isClosing && calls === 2) throw new Error('It is closing.');
                isClosing = true;
                await agent.close();
                isClosing = false;
              },
            };
          }),
          'ends in the middle of a turn with `close()`, which can be called twice',
        ],
        [
          'reports something behind its exit',
          spoiled((agent) => ({
            events: () =>
              events(agent, (event) =>
                event.kind === 'exited' ? [event, { kind: 'idle', seq: event.seq + 1 }] : [event],
              ),
          })),
          'reports the exit as the last event',
        ],
        [
          'drops a message after its end',
          spoiled((agent) => ({
            send(input) {
              try {
                return agent.send(input);
              } catch {
                return { id: '' } as never; // a turn that never begins
              }
            },
          })),
          'takes no message once it has ended',
        ],
        [
          'ignores the signal',
          {
            ...kept,
            createOpener: () => async (request) => {
              request.options.signal.throwIfAborted();
              return await createOpener()({
                ...request,
                options: { ...request.options, signal: new AbortController().signal },
              });
            },
          },
          'ends when the agent is not needed any more',
        ],
        [
          'interrupts the turn of an agent that it suspends',
          spoiled((agent) => ({
            async suspend() {
              await agent.interrupt();
              await agent.close();
            },
          })),
          'ends without an outcome of its turn with `suspend()`',
        ],
      ],
    },
  );
});
