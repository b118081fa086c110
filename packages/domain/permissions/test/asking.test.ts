import { describe, expect, it } from 'vitest';
import type { Asker, PermissionAnswer } from '@hexagent/ports';
import { allow, deny, rememberedRules, rulesToRemember } from '../src/index.ts';
import { context, decide, request } from './requests.ts';
import { commands, serviceOf } from './policy-of.ts';

/** An approver as an untyped program may write it. */
const answering =
  (answer: unknown): Asker =>
  () =>
    answer as PermissionAnswer;

describe('An approver', () => {
  it('receives the signal that aborts when the agent no longer waits', async () => {
    const { signal } = new AbortController();
    let seen: AbortSignal | undefined;
    const approver: Asker = (_, given) => {
      seen = given.signal;
      return null;
    };
    await serviceOf({ approver }).decide(request('Bash'), { requestId: 'r1', signal });
    expect(seen).toBe(signal);
  });

  it('that returns null makes decide() resolve with null', async () => {
    expect(await decide({ approver: () => null }, 'Bash')).toBeNull();
  });

  it.each([
    [
      'throws',
      (): never => {
        throw new Error('no such person');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no such person'))],
  ] satisfies [string, Asker][])('that %s makes decide() reject with that error', async (_, approver) => {
    await expect(decide({ approver }, 'Bash')).rejects.toThrow('no such person');
  });

  it('that never settles leaves the request pending until the agent withdraws it', async () => {
    const withdrawal = new AbortController();
    const approver: Asker = (_, { signal }) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve(deny('withdrawn'))));
    const decision = serviceOf({ approver }).decide(request('Bash'), {
      requestId: 'r1',
      signal: withdrawal.signal,
    });
    const first = await Promise.race([decision, new Promise((resolve) => setImmediate(resolve, 'still pending'))]);
    expect(first).toBe('still pending');
    withdrawal.abort();
    expect(await decision).toMatchObject({ behavior: 'deny' });
  });

  it.each([{ behavior: 'allow', decisionClassification: 'user_permanent' }, { behavior: 'ask' }, undefined])(
    'has its answer returned unchanged, since the protocol checks the answers of every gate: %o',
    async (answer) => {
      expect(await decide({ approver: answering(answer) }, 'Bash')).toStrictEqual(answer);
    },
  );

  it('that changes the input in place has failed: the agent would run the original', async () => {
    const changing =
      (answer: PermissionAnswer, change: (input: Record<string, unknown>) => void): Asker =>
      ({ input }) => (change(input), answer);
    const bash = { ...request('Bash'), input: { command: 'rm x', timeout: 5 } };
    const run = (approver: Asker): Promise<unknown> => serviceOf({ approver }).decide(bash, context);
    for (const change of [
      (input: Record<string, unknown>) => void (input['command'] = 'ls'),
      (input: Record<string, unknown>) => void delete input['timeout'],
      (input: Record<string, unknown>) => void (input['description'] = 'safe'),
    ]) {
      bash.input = { command: 'rm x', timeout: 5 };
      await expect(run(changing(allow(), change))).rejects.toThrow('allow({ input })');
      bash.input = { command: 'rm x', timeout: 5 };
      expect(await run(changing(deny('no'), change))).toEqual(deny('no'));
    }
    bash.input = { command: 'rm x', timeout: 5 };
    const passed: Asker = ({ input }) => allow({ input: Object.assign(input, { command: 'ls' }) });
    expect(await run(passed)).toEqual({ behavior: 'allow', updatedInput: { command: 'ls', timeout: 5 } });
  });
});

describe('allow(), deny() and what is remembered', () => {
  it('return answers without undefined fields', () => {
    expect(allow()).toStrictEqual({ behavior: 'allow' });
    expect(allow({ input: { a: 1 } })).toStrictEqual({ behavior: 'allow', updatedInput: { a: 1 } });
    expect(deny('no')).toStrictEqual({ behavior: 'deny', message: 'no' });
    expect(deny('no', { interrupt: true })).toStrictEqual({ behavior: 'deny', message: 'no', interrupt: true });
  });

  it.each<[() => unknown, string]>([
    [
      () => allow(5 as never),
      'The options of allow() must be an object with `input`, `remember`, `updates`, not a number.',
    ],
    [() => allow(null as never), 'not null.'],
    [() => allow([] as never), 'not a list.'],
    [
      () => allow({ command: 'ls' } as never),
      '"command" is no option of allow(). It takes `input`, `remember`, `updates`.',
    ],
    [() => allow({ [Symbol('rm')]: 1 }), '"Symbol(rm)" is no option of allow().'],
    [
      () => allow({ input: 'x' as never }),
      "must be the tool's whole input as an object, not a string. Leave it out to run the original.",
    ],
    [
      () => allow({ input: [] as never }),
      "`input` of allow() must be the tool's whole input as an object, not a list.",
    ],
    [
      () => allow({ remember: 'always' as never }),
      '`remember` of allow() must be session, local, project or user, not "always".',
    ],
    [() => allow({ remember: 'constructor' as never }), 'not "constructor".'],
    [
      () => allow({ updates: {} as never }),
      '`updates` of allow() must be a list of changes to permissions, not an object.',
    ],
    [
      () => deny(undefined as never),
      '`message` of deny() must be a string with the reason for the model, not undefined.',
    ],
    [() => deny(5 as never), 'not a number.'],
    [() => deny({ message: 'No.' } as never), 'not an object.'],
    [() => deny('No.', true as never), 'The options of deny() must be an object with `interrupt`, not a boolean.'],
    [() => deny('No.', null as never), 'The options of deny() must be an object with `interrupt`, not null.'],
    [() => deny('No.', { interupt: true } as never), '"interupt" is no option of deny(). It takes `interrupt`.'],
    [() => deny('No.', { [Symbol('stop')]: true }), '"Symbol(stop)" is no option of deny().'],
    [() => deny('No.', { interrupt: 1 } as never), '`interrupt` of deny() must be true or false, not a number.'],
    [() => allow(Promise.resolve({ input: { command: 'ls' } }) as never), 'not a promise (await it).'],
    [() => allow(new Map([['input', { command: 'ls' }]]) as never), 'not an object of the class Map.'],
    [
      () =>
        allow({
          get input() {
            return { command: 'ls' };
          },
        }),
      '`input` is a getter, which JSON cannot carry; pass its value.',
    ],
    [() => allow({ input: { command: Promise.resolve('ls') } }), '`input.command` is a promise'],
    [() => deny(Promise.resolve('No.') as never), 'not a promise (await it).'],
    [() => rememberedRules(Promise.resolve([]) as never, 'session'), 'as a list, not a promise (await it).'],
    [() => rulesToRemember(Promise.resolve({}) as never, { commands }), 'not a promise (await it).'],
  ])('throw for values that the agent cannot use: %s', (call, message) => {
    expect(call).toThrow(TypeError);
    expect(call).toThrow(message);
  });
});
