import { callOnce } from '../support/tool-calls.ts';

const option = (label: string): object => ({ label, description: `It is ${label}.` });

/** The input of `asks`. */
export const input = {
  questions: [
    { question: 'Which colour?', header: 'Colour', multiSelect: false, options: [option('red'), option('blue')] },
    { question: 'Which sizes?', header: 'Sizes', multiSelect: true, options: [option('S'), option('M')] },
  ],
};

/** Asks a person two questions. */
export const asks = callOnce('AskUserQuestion', input);
