import { describe, expect, it } from 'vitest';
import type { HookOutput, HookTable } from '@hexagent/ports';
import { createHooks, hooks, HookService, type AuditRecord } from '../src/index.ts';
import { asked, before, call, changed, denial, ran, untyped, type Hook } from './calling.ts';

describe('hooks.allow()', () => {
  it('allows the call', async () => {
    expect(await asked(before(hooks.allow()))).toEqual({
      answers: [{ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } }],
      reported: [],
    });
  });

  it('takes nothing', () => {
    expect(() => hooks.allow(untyped('Bash'))).toThrow('hooks.allow() takes nothing, not "Bash"');
  });
});

describe('hooks.deny()', () => {
  it('denies the call with the reason', async () => {
    expect((await asked(before(hooks.deny('Not here.')))).answers).toEqual([denial('Not here.')]);
  });

  it.each([undefined, '', ' ', 5, {}])('needs a reason: %o', (reason) => {
    expect(() => hooks.deny(untyped(reason))).toThrow(TypeError);
    expect(() => hooks.deny(untyped(reason))).toThrow('hooks.deny() needs a reason that the model can read');
  });
});

describe('hooks.modify()', () => {
  it('changes the input and allows nothing', async () => {
    const hook = hooks.modify(({ command }) => ({ command: `${String(command)} -l` }));
    expect(await asked(before(hook))).toEqual({ answers: [changed({ command: 'ls -l' })], reported: [] });
  });

  it('passes each function what the one before made, and the call', async () => {
    const tools: string[] = [];
    const hook = hooks.modify(
      async (input, { tool, signal }) => {
        tools.push(tool, String(signal.aborted));
        return { ...input, a: 1 };
      },
      (input) => ({ ...input, b: input['a'] }),
    );
    expect((await asked(before(hook))).answers).toEqual([changed({ command: 'ls', a: 1, b: 1 })]);
    expect(tools).toEqual(['Bash', 'false']);
  });

  it('answers nothing when nothing was changed, so that another change holds', async () => {
    expect((await asked(before(hooks.modify((input) => input)))).answers).toEqual([{}]);
  });

  it('notices a change in place, and leaves the original as it was', async () => {
    const input = call();
    const hook = hooks.modify((given) => {
      Object.assign(given, { command: 'pwd' });
      return given;
    });
    expect((await asked(before(hook), input)).answers).toEqual([changed({ command: 'pwd' })]);
    expect(input.tool_input).toEqual({ command: 'ls' });
  });

  it.each<readonly [string, unknown, RegExp]>([
    ['undefined', () => undefined, /returned undefined, and the tool's whole input is expected/],
    ['a text', () => 'ls', /returned a string/],
    ['a Map, even where the original is empty', () => new Map(), /Map/],
    ['a date in it', () => ({ at: new Date(0) }), /`input\.at`/],
    [
      'a getter that throws',
      () => ({
        get at(): never {
          throw new Error('unread');
        },
      }),
      /unread/,
    ],
    [
      'what throws',
      () => {
        throw new Error('broken');
      },
      /the function threw: broken/,
    ],
    ['what rejects', () => Promise.reject(new Error('broken')), /the function threw: broken/],
  ])('denies the call for a function that returns %s, and reports it', async (_, change, reason) => {
    const { answers, reported } = await asked(before(hooks.modify(untyped(change))), call('Bash', {}));
    expect(answers).toEqual([denial(expect.stringMatching(reason))]);
    expect(reported).toHaveLength(1);
  });

  it('denies a call whose input is no object', async () => {
    const { answers } = await asked(before(hooks.modify((input) => input)), call('Bash', 'ls'));
    expect(answers).toEqual([denial(expect.stringContaining('the tool was called with a string'))]);
  });

  it('denies a call that another hook has changed too: the CLI would drop one change', async () => {
    const other: Hook = () => changed({ command: 'other' }) as HookOutput<'PreToolUse'>;
    const own = hooks.modify(() => ({ command: 'own' }));
    for (const both of [
      before(own, other),
      before(other, own),
      before(
        own,
        hooks.modify(() => ({ a: 1 })),
      ),
    ]) {
      const [first, second] = (await asked(both)).answers;
      expect(first).toHaveProperty('hookSpecificOutput.updatedInput');
      expect(second).toEqual(denial(expect.stringContaining('Two hooks changed the input of this call')));
    }
  });

  const plain =
    (command: string): Hook =>
    () =>
      changed({ command }) as HookOutput<'PreToolUse'>;

  it('denies a call where another hook may have changed it by a getter, which is not read for that', async () => {
    const reading = (): never => {
      throw new Error('read');
    };
    const inner = Object.defineProperty({ hookEventName: 'PreToolUse' }, 'updatedInput', { get: reading });
    const outer = Object.defineProperty({}, 'hookSpecificOutput', { get: reading });
    for (const answer of [{ hookSpecificOutput: inner }, outer]) {
      const [, second] = (
        await asked(
          before(
            hooks.modify(() => ({ a: 1 })),
            () => untyped(answer),
          ),
        )
      ).answers;
      expect(second).toEqual(denial(expect.stringContaining('Two hooks')));
    }
  });

  it('leaves alone what other hooks answer each other', async () => {
    const both = [changed({ command: 'a' }), changed({ command: 'b' })];
    expect((await asked(before(plain('a'), plain('b')))).answers).toEqual(both);
    const unchanging = hooks.modify((input) => input);
    expect((await asked(before(plain('a'), plain('b'), unchanging))).answers).toEqual([...both, {}]);
  });

  /** Hooks of a service, each called for a call of its own. */
  function callsOf(...list: readonly Hook[]): (hook: number, id: string) => Promise<HookOutput> {
    const service = new HookService(before(...list));
    const context = { signal: new AbortController().signal };
    return async (hook, id) =>
      await service.dispatch({ callback_id: `hook_${hook}`, input: { ...call(), tool_use_id: id } }, context);
  }

  it('keeps apart the calls that it changes, and forgets them in time', async () => {
    const ask = callsOf(
      hooks.modify(() => ({ a: 1 })),
      plain('b'),
    );
    for (let index = 0; index < 3000; index += 1) expect(await ask(0, `id ${index}`)).toEqual(changed({ a: 1 }));
    expect(await ask(1, 'id 0')).toEqual(changed({ command: 'b' }));
    expect(await ask(1, 'id 2999')).toEqual(denial(expect.stringContaining('Two hooks')));
  });

  it('remembers a call as long as a hook of it runs', async () => {
    const answer = Promise.withResolvers<HookOutput<'PreToolUse'>>();
    const ask = callsOf(
      hooks.modify(() => ({ a: 1 })),
      () => answer.promise,
    );
    await ask(0, 'slow');
    const slow = ask(1, 'slow');
    for (let index = 0; index < 3000; index += 1) await ask(0, `id ${index}`);
    answer.resolve(changed({ command: 'b' }) as HookOutput<'PreToolUse'>);
    expect(await slow).toEqual(denial(expect.stringContaining('Two hooks')));
  });

  it.each([[], ['ls'], [undefined], [{}]])('takes functions only: %o', (...given) => {
    expect(() => hooks.modify(...(given as never[]))).toThrow(TypeError);
    expect(() => hooks.modify(...(given as never[]))).toThrow(/hooks\.modify\(\) (needs a function|takes functions)/);
  });
});

describe('hooks.validate()', () => {
  it.each<readonly [unknown, string | undefined]>([
    [() => undefined, undefined],
    [async () => {}, undefined],
    [() => true, undefined],
    [() => 'Too long.', 'Too long.'],
    [async () => 'Too long.', 'Too long.'],
    [() => false, 'The input of this call is not accepted.'],
  ])('lets the call continue, or refuses it: %o', async (check, reason) => {
    const { answers, reported } = await asked(before(hooks.validate(untyped(check))));
    expect(answers).toEqual([reason === undefined ? {} : denial(reason)]);
    expect(reported).toEqual([]);
  });

  it('asks each function in turn until one refuses', async () => {
    const calls: string[] = [];
    const check = (name: string, answer?: string) => (): string | undefined => (calls.push(name), answer);
    const hook = hooks.validate(check('a'), check('b', 'No.'), check('c', 'Never.'));
    expect((await asked(before(hook))).answers).toEqual([denial('No.')]);
    expect(calls).toEqual(['a', 'b']);
  });

  it.each<readonly [string, unknown, RegExp]>([
    [
      'throws',
      () => {
        throw new Error('broken');
      },
      /the function threw: broken/,
    ],
    ['rejects', () => Promise.reject(new Error('broken')), /the function threw: broken/],
    ['returns null', () => null, /returned null/],
    ['returns a number', () => 0, /returned 0/],
    ['returns an empty text', () => '', /returned ""/],
    ['returns an object', () => ({ valid: true }), /returned an object/],
  ])('refuses where a function %s, and reports it', async (_, check, reason) => {
    const { answers, reported } = await asked(before(hooks.validate(untyped(check))));
    expect(answers).toEqual([denial(expect.stringMatching(reason))]);
    expect(reported).toHaveLength(1);
  });

  it('takes functions only', () => {
    expect(() => hooks.validate()).toThrow('hooks.validate() needs a function.');
    expect(() => hooks.validate(untyped({ parse: String }))).toThrow(
      'hooks.validate() takes functions, not an object.',
    );
  });
});

const settled = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe.each([
  ['hooks.log()', (sink: (value: unknown) => unknown): HookTable => before(hooks.log(sink))],
  ['hooks.audit()', (sink: (value: unknown) => unknown): HookTable => hooks.audit(sink)],
])('%s', (name, make) => {
  it('does not wait for the sink', async () => {
    expect((await asked(make(() => new Promise(() => {})))).answers).toEqual([{}]);
  });

  it.each<readonly [string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('full');
      },
    ],
    ['rejects', () => Promise.reject(new Error('full'))],
  ])('continues when the sink %s, and reports it', async (_, sink) => {
    const { answers, reported } = await asked(make(sink));
    await settled();
    expect(answers).toEqual([{}]);
    expect(reported).toEqual([new Error('full')]);
  });

  it('fails itself where it cannot report, so that nothing is swallowed', async () => {
    const [hook] = make(() => Promise.reject(new Error('full'))).PreToolUse?.[0]?.hooks ?? [];
    await expect(hook?.(call(), 'toolu_1', { signal: new AbortController().signal })).rejects.toThrow('full');
  });

  it.each([undefined, 'file.log', {}])('takes a function only: %o', (sink) => {
    expect(() => make(untyped(sink))).toThrow(TypeError);
    expect(() => make(untyped(sink))).toThrow(`${name} needs a sink: a function`);
  });
});

describe('A sink', () => {
  it('of a log receives the input of each event as the agent sent it', async () => {
    const seen: unknown[] = [];
    const hook = hooks.log((input) => seen.push(input));
    const input = call();
    const set = createHooks().on('PreToolUse', hook).on('PostToolUse', hook);
    await asked(set, input);
    await asked(set, ran);
    expect(seen).toEqual([input, ran]);
    expect(seen[0]).toBe(input);
  });

  it('of an audit receives a record before the call, and one after it', async () => {
    const records: AuditRecord[] = [];
    const table = hooks.audit((record) => records.push(record));
    const { tool_response: _, ...given } = ran;
    for (const input of [call(), ran, { ...given, hook_event_name: 'PostToolUseFailure' as const, error: 'broke' }])
      await asked(table, input);
    const about = { tool: 'Bash', input: { command: 'ls' }, toolUseId: 'toolu_1', sessionId: 's1' };
    expect(records).toStrictEqual([
      { outcome: 'called', ...about },
      { outcome: 'ran', ...about, agentId: 'a1', response: { stdout: 'x' }, durationMs: 7 },
      { outcome: 'failed', ...about, agentId: 'a1', error: 'broke', durationMs: 7 },
    ]);
  });
});
