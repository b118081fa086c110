import { describe, expect, it } from 'vitest';
import { answerQuestions, approvePlan, declineQuestions, revisePlan } from '../src/index.ts';

const option = (label: string): object => ({ label, description: label });
const input = {
  questions: [
    { question: 'Which colour?', header: 'Colour', multiSelect: false, options: [option('red'), option('blue')] },
    { question: 'Which sizes?', header: 'Sizes', multiSelect: true, options: [option('S'), option('M')] },
  ],
  metadata: { source: 'test' },
};

describe('answerQuestions()', () => {
  it.each<[string, Parameters<typeof answerQuestions>[1], object]>([
    ['one choice', { 'Which colour?': 'red' }, { 'Which colour?': 'red' }],
    ['a text of its own', { 'Which colour?': 'none of them' }, { 'Which colour?': 'none of them' }],
    ['one choice in a list', { 'Which colour?': ['red'] }, { 'Which colour?': 'red' }],
    ['several choices', { 'Which sizes?': ['S', 'M'] }, { 'Which sizes?': 'S, M' }],
    ['one of several', { 'Which sizes?': 'S' }, { 'Which sizes?': 'S' }],
    ['a part of the questions', { 'Which colour?': 'red', 'Which sizes?': undefined }, { 'Which colour?': 'red' }],
    ['empty answers', { 'Which colour?': '', 'Which sizes?': [] }, {}],
  ])('#37 gives the questions back, with the answers by their text: %s', (_, answers, given) => {
    expect(answerQuestions({ input }, answers)).toEqual({
      behavior: 'allow',
      updatedInput: { ...input, answers: given },
    });
  });

  it.each<[string, readonly [unknown, unknown], string]>([
    [
      'a header',
      [{ input }, { Colour: 'red' }],
      '"Colour" is not a question of this call. Answer by the whole text: "Which colour?".',
    ],
    ['another text', [{ input }, { Which: 'red' }], 'Answer by the whole text: "Which colour?", "Which sizes?".'],
    [
      'two of one',
      [{ input }, { 'Which colour?': ['red', 'blue'] }],
      '"Which colour?" allows one answer, and 2 were given.',
    ],
    ['a number', [{ input }, { 'Which colour?': 1 }], 'must be a text or a list of texts, not a number.'],
    ['null', [{ input }, { 'Which colour?': null }], 'must be a text or a list of texts, not null.'],
    ['a list of answers', [{ input }, ['red']], 'must be an object by the text of each question, not a list.'],
    ['a promise of answers', [{ input }, Promise.resolve({})], 'not a promise (await it).'],
    ['a Map of answers', [{ input }, new Map()], 'not an object of the class Map.'],
    [
      'a promise of an answer',
      [{ input }, { 'Which colour?': Promise.resolve('red') }],
      'is a promise, which JSON cannot',
    ],
    [
      'a getter',
      [
        { input },
        {
          get 'Which colour?'() {
            return 'red';
          },
        },
      ],
      'is a getter',
    ],
    ['a promise of the input', [{ input: Promise.resolve(input) }, {}], 'not a promise (await it).'],
    ['a Map in the input', [{ input: { ...input, metadata: new Map() } }, {}], '`input.metadata` is a Map'],
    ['nothing', [undefined, {}], 'answerQuestions() takes what was asked'],
    ['the input itself', [input, {}], 'answerQuestions() takes what was asked'],
    ['a call of another tool', [{ input: { command: 'ls' } }, {}], 'answerQuestions() takes what was asked'],
  ])('throws for answers that the model would not see, or not as they were meant: %s', (_, given, message) => {
    const call = (): unknown => answerQuestions(...(given as Parameters<typeof answerQuestions>));
    expect(call).toThrow(TypeError);
    expect(call).toThrow(message);
  });
});

describe('declineQuestions()', () => {
  it('is a denial with words for the model', () => {
    expect(declineQuestions()).toEqual({ behavior: 'deny', message: expect.stringContaining('Continue without') });
    expect(declineQuestions('Ask me later.')).toEqual({ behavior: 'deny', message: 'Ask me later.' });
    expect(() => declineQuestions({} as never)).toThrow(
      new TypeError('`why` of declineQuestions() must be a string that the model reads, not an object.'),
    );
  });
});

describe('approvePlan()', () => {
  const plan = { plan: '# The plan', planFilePath: '/plans/a.md' };

  it.each<[string, Parameters<typeof approvePlan>[1], object]>([
    ['as it is', undefined, { updatedInput: plan }],
    ['as the person edited it', { plan: '# Edited' }, { updatedInput: { ...plan, plan: '# Edited' } }],
    [
      'with a mode to go on in',
      { mode: 'acceptEdits' },
      {
        updatedInput: plan,
        updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
      },
    ],
  ])('approves the plan %s', (_, options, answer) => {
    expect(approvePlan({ input: plan }, options)).toStrictEqual({ behavior: 'allow', ...answer });
  });

  it.each<[string, readonly [unknown, unknown?], string]>([
    [
      'a mode that the agent ignores',
      [{ input: plan }, { mode: 'bypassPermissions' }],
      'one of default, acceptEdits, auto, dontAsk, not "bypassPermissions".',
    ],
    ['the mode that ends', [{ input: plan }, { mode: 'plan' }], 'not "plan".'],
    ['an empty plan', [{ input: plan }, { plan: '' }], 'must be the edited plan as a text, not an empty one.'],
    ['a plan that is no text', [{ input: plan }, { plan: {} }], 'must be the edited plan as a text, not an object.'],
    ['an unknown option', [{ input: plan }, { edited: 'x' }], '"edited" is no option of approvePlan().'],
    ['a promise of the options', [{ input: plan }, Promise.resolve({ plan: '# Edited' })], 'not a promise (await it).'],
    ['a promise of the edited plan', [{ input: plan }, { plan: Promise.resolve('# Edited') }], '`plan` is a promise'],
    ['a promise of the input', [{ input: Promise.resolve(plan) }], 'not a promise (await it).'],
    ['a date in the input', [{ input: { ...plan, at: new Date(0) } }], '`input.at` is a Date'],
    ['a text', ['# Plan'], 'approvePlan() takes what was asked'],
  ])('refuses %s', (_, given, message) => {
    const call = (): unknown => approvePlan(...(given as Parameters<typeof approvePlan>));
    expect(call).toThrow(TypeError);
    expect(call).toThrow(message);
  });
});

describe('revisePlan()', () => {
  it('is a denial in which the model reads what to do', () => {
    expect(revisePlan('Use another database.')).toEqual({
      behavior: 'deny',
      message:
        'The plan is not approved yet. Revise it, then show it again with ExitPlanMode. What to change: Use another database.',
    });
  });

  it.each([undefined, '', ' ', 5])('needs words: %o', (feedback) => {
    expect(() => revisePlan(feedback as never)).toThrow(TypeError);
  });
});
