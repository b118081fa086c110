import { meansOf, scoresOf, sentOn, showText, summaryOf, testTextOf } from '@hexagent/tapes';
import { describe, expect, it } from 'vitest';
import { answers, asks, ending, launch, request, response, tapeOf, user, uuid } from './tapes.ts';

const call = (id: string, name: string): object => ({
  type: 'assistant',
  message: { content: [{ type: 'tool_use', id, name, input: { command: 'ls' } }] },
});
const paid = (cost: number, changes: object = {}): object => ({
  ...{ type: 'result', subtype: 'success', is_error: false, total_cost_usd: cost, result: 'Done.' },
  ...changes,
});

const whole = tapeOf(
  launch,
  { out: request('initialize', 'r1') },
  { in: response('r1') },
  { in: { type: 'system', subtype: 'init', cwd: '/home/me/project' } },
  { out: user('Look into /home/me/project') },
  { in: { type: 'stream_event', event: { type: 'message_start' } } },
  { in: { type: 'stream_event', event: { type: 'message_stop' } } },
  { in: call('t1', 'Bash') },
  { in: call('t1', 'Bash') },
  { in: asks('q1') },
  { out: answers('q1', 'deny') },
  { in: call('t2', 'Read') },
  { in: paid(0.25) },
  { agent: 2, ...launch },
  { agent: 2, in: paid(0.5) },
  ...ending,
);

describe('summaryOf', () => {
  it('counts turns and calls once, and adds the costs of all agents', () => {
    expect(summaryOf(whole)).toEqual({
      ...{ outcome: 'completed', turns: 2, tools: { Bash: 1, Read: 1 }, cost: 0.75, seconds: 0.016, text: 'Done.' },
    });
  });

  it.each([
    ['failed', [{ out: user('hi') }, { in: paid(0, { is_error: true }) }]],
    ['failed', [{ out: user('hi') }, { in: paid(0, { subtype: 'error_max_turns' }) }]],
    ['interrupted', [{ out: user('hi') }, { in: paid(0, { terminal_reason: 'aborted_tools' }) }]],
    ['unfinished', [{ out: user('hi') }, { in: paid(0) }, { out: user('more') }]],
    ['none', [launch]],
  ])('reads that the last turn is %s', (outcome, entries) => {
    expect(summaryOf(tapeOf(...entries)).outcome).toBe(outcome);
  });
});

describe('sentOn', () => {
  it('describes what the program did, without what no two runs share and what the SDK asks on its own', () => {
    expect(sentOn(whole)).toEqual(['user "Look into <cwd>"', 'answers can_use_tool Bash: deny']);
    const hook = {
      type: 'control_request',
      request_id: 'h',
      request: { subtype: 'hook_callback', input: { hook_event_name: 'Stop' } },
    };
    const answered = (fields: object): object => ({
      type: 'control_response',
      response: { request_id: 'h', response: fields },
    });
    expect(sentOn(tapeOf({ in: hook }, { out: answered({}) }, { out: answered({ continue: false }) }))).toEqual([
      'answers hook_callback Stop: {"continue":false}',
    ]);
    expect(sentOn(tapeOf({ out: user(`of ${uuid(4)} in /tmp/a-b/c`) }))).toEqual([
      'user "of <uuid> in <temporary folder>/c"',
    ]);
  });
});

describe('sentOn of a long message', () => {
  it('is the same in two runs whose folders differ in length', () => {
    const sentIn = (cwd: string, temporary: string): readonly string[] =>
      sentOn(
        tapeOf(
          { in: { type: 'system', subtype: 'init', cwd } },
          { out: user(`In ${cwd}, with ${temporary}/a, ${'look into it, '.repeat(20)}`) },
        ),
      );
    expect(sentIn('/home/me', '/tmp/x')).toEqual(sentIn('/home/runner/work/project', '/tmp/hexagent-0123456789'));
  });
});

describe('showText', () => {
  it('has a line for each entry, and one for partial messages', () => {
    const text = showText(whole);
    expect(text).toContain('0.004 s #1   → user "Look into /home/me/project"\n');
    expect(text).toContain('← 2 partial messages\n');
    expect(text).toContain('← asks can_use_tool Bash {"command":"ls"}\n');
    expect(text).toContain('exited with code 0\n');
    expect(showText(whole, { isWhole: true })).toContain('← stream_event message_stop\n');
  });

  it('shows lines that are not frames, and how a connection ended', () => {
    const text = showText(
      tapeOf(
        ...[{ inLine: 'debug' }, { outLine: 'odd' }, { pause: true }, { resume: true }, { close: 'at once' }],
        ...[{ failed: { name: 'Error', message: 'Not there.' } }, { broken: { name: 'Error', message: 'Too long.' } }],
        {
          redacted: [{ path: 'exit.stderr', what: 'known secret' }],
          exit: { code: null, signal: 'SIGKILL', closed: true },
        },
      ),
    );
    for (const part of [
      'not JSON: debug',
      'not JSON: odd',
      'stops reading',
      'reads again',
      'closes the connection at once',
    ])
      expect(text).toContain(part);
    for (const part of ['Not there.', 'Too long.', 'SIGKILL, closed by the program', 'Redacted: 1 × known secret'])
      expect(text).toContain(part);
  });
});

describe('testTextOf', () => {
  const files = { tape: '/project/tapes/a.tape', test: '/project/test/a.test.mjs', command: ['node', "it's.mjs"] };

  it.each([
    ['vitest', "import { test } from 'vitest';\n", "test('a.tape', async () => {", '}, 60000);'],
    ['node', "import { test } from 'node:test';\n", "test('a.tape', { timeout: 60000 }, async () => {", '});'],
    ['bun', "import { test } from 'bun:test';\n", "test('a.tape', async () => {", '}, 60000);'],
    ['jest', "from '@hexagent/tapes';\n\ntest(", "test('a.tape', async () => {", '}, 60000);'],
  ] as const)('is for %s', (runner, ...parts) => {
    const text = testTextOf(whole, { runner, ...files });
    for (const part of parts) expect(text).toContain(part);
    expect(text).toContain("new URL('../tapes/a.tape', import.meta.url)");
    expect(text).toContain(`command: ['node', "it's.mjs"]`);
    expect(text).toContain(`    'user "Look into <cwd>"',\n`);
    expect(text).toContain('run.exitCode, 0');
  });

  it('asserts of a tape that was cut only that the program ends', () => {
    expect(testTextOf(tapeOf(launch, { out: user('hi') }), { runner: 'node', ...files })).not.toContain('exitCode');
  });
});

describe('Scores', () => {
  it('are those of every tape and those of the program, and have a mean', async () => {
    const own = { polite: ({ text }: { text: string }) => text.endsWith('.'), calls: async () => 4 };
    const [one, other] = [await scoresOf(whole, own), await scoresOf(tapeOf({ out: user('hi') }), own)];
    expect(one).toEqual({ completed: 1, turns: 2, tools: 2, cost: 0.75, seconds: 0.016, polite: 1, calls: 4 });
    expect(meansOf([one, other])).toMatchObject({ completed: 0.5, turns: 1, polite: 0.5, calls: 4 });
  });

  it('are named when they are neither functions nor give a number', async () => {
    await expect(scoresOf(whole, { polite: 3 })).rejects.toThrow('The score polite is 3');
    await expect(scoresOf(whole, { polite: () => 'yes' })).rejects.toThrow('The score polite returned "yes"');
    await expect(scoresOf(whole, { polite: () => Number.NaN })).rejects.toThrow('The score polite returned NaN');
  });
});
