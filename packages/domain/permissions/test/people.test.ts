import { describe, expect, it } from 'vitest';
import type { AskHandler } from '@hexagent/ports';
import { allow, deny } from '../src/index.ts';
import { Waiting } from './waiting.ts';

const later = (): null => null;

describe('An approver', () => {
  it.each<[string, () => never]>([
    [
      'throws',
      () => {
        throw new Error('approver broke');
      },
    ],
    ['rejects', () => Promise.reject(new Error('approver broke')) as never],
  ])('that %s rejects the request, which leaves the list', async (_, approver) => {
    const waiting = new Waiting({ onAsk: approver });
    await expect(waiting.ask('r1')).rejects.toThrow('approver broke');
    expect(waiting.ids).toEqual([]);
  });

  it.each([undefined, true, 'allow', { type: 'allow' }])(
    'that returns nonsense has it handed on, for the protocol to deny: %o',
    async (answer) => {
      const given = await new Waiting({ onAsk: () => answer as never }).ask('r1');
      expect([typeof given, Object.keys(Object(given))]).toEqual([typeof answer, Object.keys(Object(answer))]);
      expect(Object(given)).not.toMatchObject({ behavior: 'allow' });
    },
  );

  it.each<[string, unknown, string]>([
    ['a member that no answer has', { behavior: 'allow', toolName: 'Bash' }, '"toolName" is no member of an answer'],
    ['a misspelt member', { behavior: 'allow', updatedinput: { command: 'ls' } }, '"updatedinput" is no member'],
    ['the options of allow()', { behavior: 'allow', input: { command: 'ls' } }, '"input" is no member of an answer'],
    [
      'a promise',
      { behavior: 'allow', updatedInput: { command: Promise.resolve() } },
      '`updatedInput.command` is a promise',
    ],
    ['a promise in place of the input', { behavior: 'allow', updatedInput: Promise.resolve() }, 'await it'],
    ['a Map', { behavior: 'allow', updatedInput: new Map() }, '`updatedInput` is a Map'],
    [
      'a getter',
      Object.defineProperty({ behavior: 'allow' }, 'updatedInput', { get: () => ({}) }),
      '`updatedInput` is a getter',
    ],
    [
      'the object of a class',
      new (class Answer {
        readonly behavior = 'allow';
      })(),
      'not an object of the class Answer',
    ],
  ])('that allows a call with %s rejects the request, so that the original does not run', async (_, answer, why) => {
    await expect(new Waiting({ onAsk: () => answer as never }).ask('r1')).rejects.toThrow(why);
    await expect(new Waiting({ onAsk: () => answer as never }).ask('r1')).rejects.toThrow(TypeError);
  });

  it('denies although its answer has other members', async () => {
    const answer = { behavior: 'deny', message: 'no', interrupt: true, toolName: 'Bash', at: new Map() };
    expect(await new Waiting({ onAsk: () => answer as never }).ask('r1')).toStrictEqual({
      behavior: 'deny',
      message: 'no',
      interrupt: true,
    });
  });

  it('that returns null where nothing else can answer rejects the request', async () => {
    const waiting = new Waiting({ onAsk: later, isAnswerable: false });
    await expect(waiting.ask('r1')).rejects.toThrow(/`onAsk` returned null, and nothing else can answer here/);
    expect(waiting.ids).toEqual([]);
  });
});

describe('Without an approver', () => {
  it.each([
    ['Bash', 'No rule allows Bash, and there is nobody to ask.'],
    ['AskUserQuestion', 'There is nobody here to answer questions. Decide yourself, and say what you assumed.'],
    ['ExitPlanMode', 'There is nobody here to approve a plan. Give the plan as your answer, and change nothing.'],
  ])('a call is denied with words for the model: %s', async (tool, message) => {
    const waiting = new Waiting();
    expect(waiting.asks.hasAnyone).toBe(false);
    expect(await waiting.ask('r1', tool)).toEqual({ behavior: 'deny', message });
  });
});

describe('A handler that is asked questions or plans', () => {
  it.each<[string, string, unknown]>([
    [
      'AskUserQuestion',
      'A question is answered by what answerQuestions() or declineQuestions() returns, not',
      { 'Which?': 'a' },
    ],
    ['AskUserQuestion', 'not by a string', 'a'],
    ['AskUserQuestion', 'without its `questions` and `answers`', allow()],
    ['AskUserQuestion', 'without its `questions` and `answers`', allow({ input: { questions: [] } })],
    ['AskUserQuestion', 'not by undefined', undefined],
    ['ExitPlanMode', 'A plan is answered by what approvePlan() or revisePlan() returns, not by a boolean.', true],
    ['ExitPlanMode', 'not by an object', { plan: 'x' }],
  ])('that returns something else receives an error with what it must be: %s, %s', async (tool, message, answer) => {
    const handler = (): never => answer as never; // as a program without types may
    await expect(new Waiting({ onAsk: handler }).ask('r1', tool)).rejects.toThrow(message);
    const later = (): never => Promise.resolve(answer) as never;
    await expect(new Waiting({ onAsk: later }).ask('r1', tool)).rejects.toThrow(message);
  });

  it('gets the questions, or the text of the plan', async () => {
    const seen: unknown[] = [];
    const onAsk: AskHandler = (ask) => {
      if (ask.kind === 'question') seen.push(ask.questions, ask.input);
      if (ask.kind === 'plan') seen.push(ask.plan);
      return deny('no');
    };
    const waiting = new Waiting({ onAsk });
    await waiting.ask('r1', 'AskUserQuestion', { input: { questions: [] } });
    await waiting.ask('r2', 'ExitPlanMode', { input: { plan: '# Do it' } });
    await waiting.ask('r3', 'ExitPlanMode', { input: {} });
    expect(seen).toEqual([[], { questions: [] }, '# Do it', '']);
  });
});
