/** A message to begin with, as the first screen offers it. */
export interface Example {
  readonly prompt: string;
  /** What happens then. */
  readonly hint: string;
}

/** What the offline script has an answer to. */
export const scriptExamples: readonly Example[] = [
  { prompt: 'Leave a note for Ada', hint: 'Asks before it runs a command' },
  { prompt: 'Write a letter', hint: 'Asks you a few questions first' },
  { prompt: 'Make a plan', hint: 'Approve it, edit it or ask for changes' },
  { prompt: 'Start a subagent', hint: 'Shows its work step by step' },
  { prompt: 'Count to one thousand', hint: 'Runs until you stop it' },
  { prompt: 'Fail once', hint: 'Shows what an error looks like' },
];

/** For a real model. */
export const modelExamples: readonly Example[] = [
  { prompt: 'What is in this folder?', hint: 'Lists the files and says what they are for' },
  { prompt: 'Explain how this project works', hint: 'Reads the code and sums it up' },
  { prompt: 'Find a bug and suggest a fix', hint: 'Reads the code and proposes a change' },
  { prompt: 'Ask me what I want to build', hint: 'Starts with a few questions' },
];
