import type { PermissionGate } from '@hexagent/ports';
import { allowAll, ScriptedGate } from '@hexagent/testing';
import {
  permissionGateContract,
  plantedFaults,
  sessionFeatureContract,
  type ContractGate,
  type PermissionGateFixture,
} from '@hexagent/testing/contracts';
import { describe, it } from 'vitest';
import { permissionsFeature } from '../src/index.ts';
import { serviceOf } from './policy-of.ts';

const kept: PermissionGateFixture = { createGate: (made) => serviceOf(made), hasRules: true };

type Decide = PermissionGate['decide'];

/** A gate around one that keeps every promise, made of the same. */
const around = (decide: (inner: PermissionGate, made: ContractGate) => Decide): PermissionGateFixture => ({
  ...kept,
  createGate: (made) => ({ decide: decide(serviceOf(made), made) }),
});
/** One that is made of something else. */
const madeOf = (change: (made: ContractGate) => ContractGate): PermissionGateFixture => ({
  ...kept,
  createGate: (made) => serviceOf(change(made)),
});

permissionGateContract({ describe, it }, kept);
permissionGateContract(
  { describe, it },
  { createGate: ({ approver }) => new ScriptedGate(approver ?? { behavior: 'allow' }), hasRules: false },
);
sessionFeatureContract({ describe, it }, { createFeature: () => permissionsFeature(allowAll()) });

describe('The contract of permission gates', () => {
  plantedFaults(
    { it },
    {
      suite: permissionGateContract,
      kept,
      rounds: 1000,
      faults: [
        [
          'loses a changed input',
          around((inner) => async (request, context) => {
            const answer = await inner.decide(request, context);
            return answer?.behavior === 'allow' ? { behavior: 'allow' } : answer;
          }),
          'answers what the approver answers',
        ],
        [
          'denies what is answered elsewhere',
          around(
            (inner) => async (request, context) =>
              (await inner.decide(request, context)) ?? { behavior: 'deny', message: 'No answer.' },
          ),
          'answers `null` where the approver does, as for a request that is answered elsewhere',
        ],
        [
          'has a signal of its own',
          around(
            (inner) =>
              (request, { requestId }) =>
                inner.decide(request, { requestId, signal: new AbortController().signal }),
          ),
          'gives the approver the request, its id, and a signal that aborts when the agent withdraws it',
        ],
        [
          'allows where the approver fails',
          around((inner) => (request, context) => inner.decide(request, context).catch(() => ({ behavior: 'allow' }))),
          'lets no call run whose approver fails',
        ],
        [
          'decides one call after the other',
          around((inner) => {
            let last: Promise<unknown> = Promise.resolve();
            return (request, context) => {
              const decided = last.then(() => inner.decide(request, context));
              last = decided.catch(() => {});
              return decided;
            };
          }),
          'decides about several calls at once, each by its own answer',
        ],
        [
          'writes into the request',
          around((inner) => async (request, context) => {
            const answer = await inner.decide(request, context);
            Object.assign(request, { decided: true });
            return answer;
          }),
          'leaves the request as it is',
        ],
        [
          'ignores allow rules',
          madeOf((made) => ({ ...made, allow: [] })),
          'allows what an allow rule names, without asking',
        ],
        [
          'lets an allow rule outrank a deny rule',
          madeOf((made) => ({ ...made, deny: made.deny?.filter((tool) => made.allow?.includes(tool) !== true) })),
          'denies what a deny rule names, without asking, also where an allow rule names it',
        ],
        [
          'takes `Read2` for `Read`',
          around(
            (inner) => (request, context) =>
              inner.decide({ ...request, tool_name: request.tool_name.replace(/\d$/u, '') }, context),
          ),
          'asks about what no rule names',
        ],
        [
          'allows where there is no approver',
          madeOf((made) => ({ approver: () => ({ behavior: 'allow' }), ...made })),
          'denies what no rule names where there is no approver, with a reason for the model',
        ],
      ],
    },
  );
});
