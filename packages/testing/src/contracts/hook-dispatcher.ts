import { assert } from './assert.ts';
import type { HookCallback, HookContext, HookDispatcher, HookInput, HookOutput, HookTable } from '@hexagent/ports';
import { limitedRunner } from './limited-runner.ts';
import type { Runner } from './runner.ts';

/** Makes a dispatcher under test. */
export interface HookDispatcherFixture {
  readonly createDispatcher: (hooks: HookTable) => HookDispatcher;
}

/** What every `HookDispatcher` promises. */
export function hookDispatcherContract(runner: Runner, fixture: HookDispatcherFixture): void {
  const { describe, it } = limitedRunner('hookDispatcherContract', runner, fixture);
  const run = (promises: DispatcherPromises) => (): void => {
    for (const [name, keep] of Object.entries(promises)) it(name, () => keep(fixture));
  };
  describe('HookDispatcher contract', () => {
    describe('Registration', run(registering));
    describe('Dispatching', run(dispatching));
  });
}

type DispatcherPromises = Readonly<Record<string, (fixture: HookDispatcherFixture) => Promise<void>>>;

const input: HookInput = {
  hook_event_name: 'PreToolUse',
  session_id: 's',
  transcript_path: '/home/user/transcript',
  cwd: '/home/user',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
  tool_use_id: 'call',
};
const context: HookContext = { signal: new AbortController().signal };
const nothing: HookCallback = () => {};

/** The ids under which the hooks were registered, in order. */
const idsIn = (dispatcher: HookDispatcher): readonly string[] =>
  Object.values(dispatcher.registration() ?? {}).flatMap((matchers) =>
    matchers.flatMap(({ hookCallbackIds }) => hookCallbackIds),
  );

/** Calls the only hook, as the agent does. */
async function call(dispatcher: HookDispatcher): Promise<HookOutput> {
  const [callback_id] = idsIn(dispatcher);
  assert.ok(callback_id !== undefined, 'the hook was not registered');
  return await dispatcher.dispatch({ callback_id, input, tool_use_id: 'call' }, context);
}

const one = (hook: HookCallback): HookTable => ({ PreToolUse: [{ hooks: [hook] }] });

const registering: DispatcherPromises = {
  async 'is nothing where there is no hook'({ createDispatcher }) {
    for (const table of [{}, { PreToolUse: [] }, { PreToolUse: undefined }])
      assert.equal(createDispatcher(table).registration(), undefined);
  },

  async 'has an id for each hook, and no two the same'({ createDispatcher }) {
    const table: HookTable = {
      PreToolUse: [{ hooks: [nothing, () => {}] }, { hooks: [() => {}] }],
      Stop: [{ hooks: [() => {}] }],
    };
    const ids = idsIn(createDispatcher(table));
    assert.equal(ids.length, 4);
    assert.equal(new Set(ids).size, 4);
  },

  async 'has the matcher, the time and the failure policy of each matcher, by event'({ createDispatcher }) {
    const given = { matcher: 'Bash|Write', timeout: 7, onFailure: 'block' } as const;
    const registration = createDispatcher({
      PreToolUse: [{ ...given, hooks: [nothing] }, { hooks: [nothing] }],
      Stop: [{ hooks: [nothing] }],
    }).registration();
    assert.deepEqual(Object.keys(registration ?? {}), ['PreToolUse', 'Stop']);
    const [first, second] = registration?.['PreToolUse'] ?? [];
    assert.deepEqual({ ...given, hookCallbackIds: first?.hookCallbackIds }, first);
    assert.deepEqual([second?.matcher, second?.timeout, second?.onFailure], [undefined, undefined, undefined]);
  },

  async 'is the same each time'({ createDispatcher }) {
    const dispatcher = createDispatcher(one(nothing));
    assert.deepEqual(dispatcher.registration(), dispatcher.registration());
  },
};

const dispatching: DispatcherPromises = {
  async 'calls the hook of the id, with the input, the call and the context'({ createDispatcher }) {
    const given: unknown[] = [];
    const dispatcher = createDispatcher({
      PreToolUse: [{ hooks: [() => void given.push('the first'), (...all) => void given.push(...all)] }],
    });
    const callback_id = idsIn(dispatcher)[1] ?? '';
    await dispatcher.dispatch({ callback_id, input, tool_use_id: 'call' }, context);
    assert.deepEqual(given.slice(0, 2), [input, 'call']);
    assert.equal((given[2] as HookContext).signal, context.signal);
    assert.equal(given.length, 3);
  },

  async 'answers what the hook answers'({ createDispatcher }) {
    const output = { continue: false, stopReason: 'Enough.', systemMessage: 'é' };
    assert.deepEqual(await call(createDispatcher(one(() => output))), output);
    assert.deepEqual(await call(createDispatcher(one(async () => output))), output);
  },

  async 'answers `{}` where the hook returns nothing'({ createDispatcher }) {
    assert.deepEqual(await call(createDispatcher(one(nothing))), {});
  },

  async 'rejects with what the hook throws, or rejects with'({ createDispatcher }) {
    const failure = new Error('The hook fails.');
    const failing: readonly HookCallback[] = [
      () => {
        throw failure;
      },
      () => Promise.reject(failure),
    ];
    for (const hook of failing) await assert.rejects(call(createDispatcher(one(hook))), (error) => error === failure);
  },

  async 'rejects for an id that it has not registered'({ createDispatcher }) {
    const dispatcher = createDispatcher(one(nothing));
    await assert.rejects(dispatcher.dispatch({ callback_id: 'of another', input }, context), Error);
  },

  async 'runs hooks at the same time'({ createDispatcher }) {
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => (open = resolve));
    const dispatcher = createDispatcher({ PreToolUse: [{ hooks: [() => opened, () => open()] }] });
    const [waiting = '', opening = ''] = idsIn(dispatcher);
    const first = dispatcher.dispatch({ callback_id: waiting, input }, context);
    await dispatcher.dispatch({ callback_id: opening, input }, context);
    assert.deepEqual(await first, {});
  },
};
