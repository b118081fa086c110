const interruption = '[Request interrupted by user';
const output = /^<local-command-std(?:out|err)>([\s\S]*)<\/local-command-std(?:out|err)>$/;

/** Whether a text in the name of the user only reports that the turn was interrupted. */
export function isInterruption(text: string): boolean {
  return text.startsWith(interruption);
}

/** The output of a local command, if the text is one. */
export function commandOutputIn(text: string): string | undefined {
  return output.exec(text.trim())?.[1];
}
