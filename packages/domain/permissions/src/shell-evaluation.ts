/** The variables by which a shell, Bash or zsh, has aliases, functions and places of programs set. */
const definitions = /\bBASH_(?:ALIASES|CMDS)\b|\b(?:functions|[gs]?aliases|commands)(?:\[[^\]]*\])?\+?=/;

/** `((a))`, `$((a))`, `$[a]`, `${x[a]}`, `${x@P}`, `${x:a}`, `${!x}`, and the prompts and files of a shell, which it expands. */
export function evaluates(text: string): boolean {
  if (/\(\(|\$\[|\$\w+\[|\$\{[(^=~]|\b(?:PS\d|R?PROMPT|BASH_ENV|PROMPT_COMMAND)\b/.test(text)) return true;
  // Piece by piece: one expression over the whole would read the rest again for each brace that stays open.
  return text.split('}').some((piece) => {
    const [, ...opened] = piece.split('${');
    return /[[@!]|:(?![-=?+])/.test(opened.join('${'));
  });
}

/** Whether it may define what a name means to the shell. */
export const mayDefine = (text: string): boolean => definitions.test(text);

/** The beginning of a calculation, or of two subshells. */
export const opensCalculation: RegExp = /^\((?:\\\n)*\(/;

/** Zsh takes more for a name, and numbers. */
export const assignment: RegExp = /^[\p{L}\p{N}_.]+(?:\[[^\]]*\])?\+?=/u;
