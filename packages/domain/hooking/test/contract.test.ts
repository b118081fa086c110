import type { HookDispatcher, HookRegistration } from '@hexagent/ports';
import {
  hookDispatcherContract,
  plantedFaults,
  sessionFeatureContract,
  type HookDispatcherFixture,
} from '@hexagent/testing/contracts';
import { describe, it } from 'vitest';
import { hooksFeature, HookService } from '../src/index.ts';

const kept: HookDispatcherFixture = { createDispatcher: (table) => new HookService(table) };

const spoiled = (change: (kept: HookDispatcher) => Partial<HookDispatcher>): HookDispatcherFixture => ({
  createDispatcher(table) {
    const service = new HookService(table);
    return {
      registration: () => service.registration(),
      dispatch: (request, context) => service.dispatch(request, context),
      ...change(service),
    };
  },
});
const registers = (change: (registration: HookRegistration) => HookRegistration): HookDispatcherFixture =>
  spoiled((service) => ({
    registration() {
      const registration = service.registration();
      return registration && change(registration);
    },
  }));

hookDispatcherContract({ describe, it }, kept);

const feature = () => {
  const made = hooksFeature(new HookService({ PreToolUse: [{ hooks: [() => {}], onFailure: 'block' }] }));
  if (made === undefined) throw new Error('It has a hook.');
  return made;
};
sessionFeatureContract({ describe, it }, { createFeature: feature });

describe('The contract of hook dispatchers', () => {
  let registrations = 0;
  plantedFaults(
    { it },
    {
      suite: hookDispatcherContract,
      kept,
      rounds: 1000,
      faults: [
        [
          'registers an empty table',
          spoiled((service) => ({ registration: () => service.registration() ?? {} })),
          'is nothing where there is no hook',
        ],
        [
          'registers hooks without an event of their own under one id',
          registers((registration) => {
            const { Stop, ...others } = registration;
            const [first] = Object.values(others).flat();
            if (Stop === undefined || first?.hookCallbackIds.length === 1) return registration;
            return { ...others, Stop: [{ hookCallbackIds: first?.hookCallbackIds.slice(0, 1) ?? [] }] };
          }),
          'has an id for each hook, and no two the same',
        ],
        [
          'registers no time',
          registers((registration) =>
            Object.fromEntries(
              Object.entries(registration).map(([event, matchers]) => [
                event,
                matchers.map(({ timeout: _, ...matcher }) => matcher),
              ]),
            ),
          ),
          'has the matcher, the time and the failure policy of each matcher, by event',
        ],
        [
          'counts how often it was asked',
          registers((registration) => ({
            ...registration,
            ...(registration['Stop'] === undefined && { [`Odd${(registrations += 1)}`]: [] }),
          })),
          'is the same each time',
        ],
        [
          'does not pass the call on',
          spoiled((service) => ({
            dispatch: ({ callback_id, input }, context) => service.dispatch({ callback_id, input }, context),
          })),
          'calls the hook of the id, with the input, the call and the context',
        ],
        [
          'keeps what it knows of an answer',
          spoiled((service) => ({
            async dispatch(request, context) {
              const answer = await service.dispatch(request, context);
              return 'systemMessage' in answer ? { continue: false } : answer;
            },
          })),
          'answers what the hook answers',
        ],
        [
          'answers nothing where a hook returns nothing',
          spoiled((service) => ({
            async dispatch(request, context) {
              const answer = await service.dispatch(request, context);
              const isEmpty = Object.keys(answer).length === 0 && request.tool_use_id !== undefined;
              return isEmpty ? (undefined as never) : answer;
            },
          })),
          'answers `{}` where the hook returns nothing',
        ],
        [
          'answers `{}` where a hook fails',
          spoiled((service) => ({
            dispatch: (request, context) =>
              service.dispatch(request, context).catch((error: unknown) => {
                if (error instanceof Error && error.message.startsWith('No hook')) throw error;
                return {};
              }),
          })),
          'rejects with what the hook throws, or rejects with',
        ],
        [
          'answers `{}` for any id',
          spoiled((service) => ({
            dispatch: async (request, context) =>
              request.callback_id === 'of another' ? {} : await service.dispatch(request, context),
          })),
          'rejects for an id that it has not registered',
        ],
        [
          'runs one hook after the other',
          spoiled((service) => {
            let last: Promise<unknown> = Promise.resolve();
            return {
              dispatch(request, context) {
                const answered = last.then(() => service.dispatch(request, context));
                last = answered.catch(() => {});
                return answered;
              },
            };
          }),
          'runs hooks at the same time',
        ],
      ],
    },
  );
});
