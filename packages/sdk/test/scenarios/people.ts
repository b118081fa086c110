import { answerQuestions, approvePlan, declineQuestions, revisePlan, type Ask } from '@hexagent/sdk';
import { model, turn } from '@hexagent/testing/scenarios';
import type { Scenarios } from './scenario.ts';

const questions = [
  {
    question: 'Which colour?',
    header: 'Colour',
    options: [
      { label: 'red', description: 'As blood.' },
      { label: 'blue', description: 'As the sky.' },
    ],
    multiSelect: false,
  },
];
const answered =
  'Your questions have been answered: "Which colour?"="blue". You can now continue with these answers in mind.';
const approved = 'User has approved exiting plan mode. You can now proceed.';

/** An answer that depends on what was asked. */
const by =
  <Kind extends Ask['kind']>(kind: Kind, answer: (ask: Extract<Ask, { readonly kind: Kind }>) => unknown) =>
  (ask: Ask): unknown => {
    if (ask.kind !== kind) throw new Error(`It is a ${ask.kind}.`);
    return answer(ask as Extract<Ask, { readonly kind: Kind }>); // just compared
  };

export const people: Scenarios = {
  'a question that a person answers': {
    turns: [
      turn('go', [model.call('AskUserQuestion', { questions }, { asks: true, result: answered })], 'Blue, then.'),
    ],
    decides: [by('question', (ask) => answerQuestions(ask, { 'Which colour?': 'blue' }))],
    shows: ['AskUserQuestion', '"Which colour?":"blue"', 'Blue, then.'],
  },
  'a question that a person declines': {
    turns: [turn('go', [model.call('AskUserQuestion', { questions }, { asks: true })], 'No colour, then.')],
    decides: [by('question', () => declineQuestions('Decide yourself.'))],
    shows: ['Decide yourself.', 'No colour, then.'],
  },
  'a plan that a person approves': {
    turns: [turn('go', [model.call('ExitPlanMode', {}, { asks: true, result: approved })], 'I begin.')],
    options: { permissions: { cliMode: 'plan' } },
    decides: [by('plan', (ask) => approvePlan(ask))],
    shows: ['ExitPlanMode', 'I begin.'],
  },
  'a plan that a person has revised': {
    turns: [turn('go', [model.call('ExitPlanMode', {}, { asks: true })], 'I think again.')],
    options: { permissions: { cliMode: 'plan' } },
    decides: [by('plan', () => revisePlan('Shorter.'))],
    shows: ['Shorter.', 'I think again.'],
  },
};
