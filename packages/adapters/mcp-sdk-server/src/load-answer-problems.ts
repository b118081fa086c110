import type * as AnswerProblems from './answer-problems.ts';

let loading: Promise<typeof AnswerProblems> | undefined;

export function loadAnswerProblems(): Promise<typeof AnswerProblems> {
  loading ??= import('./answer-problems.ts');
  return loading;
}
