import { isExpanded, isRun, mayDefine } from './shell-names.ts';

/**
 * `number`: digits. `variable`: what another part of the command, or its environment, holds. `computed`: the output of a
 * program, a changed text, the contents of a file.
 */
export type Origin = 'known' | 'number' | 'variable' | 'computed';

const origins: readonly Origin[] = ['known', 'number', 'variable', 'computed'];

export const lessKnown = (one: Origin, other: Origin): Origin =>
  origins.indexOf(one) < origins.indexOf(other) ? other : one;

/** One pipeline whose last program prints nothing but digits, as far as its name can be trusted. */
const numbers =
  /^[^;&\n\\#)]*?(?:^|[^|>]\|)\s*(?:wc(?: -[clmw]+)*(?:\s*<\s*[\w./"$-]+)?|seq(?: \d+)+|date \+%[sYmdHMSj]|grep -c (?:\w+|'[^']*')(?: (?:[\w./]+|"[\w./$]+"))?|nproc)\s*$/;

/** Of a program's output, which is a number where its name can be trusted. */
export const isNumber = (program: string): boolean => program.length <= longestName && numbers.test(program);

const longestName = 200;

/** The brackets of a name, with nothing in them but a sum of variables and numbers. */
export const isSimpleIndex = (index: string): boolean => /^(?:\[(?:[@*]|(?:\w|\$\w|[\s+-])*)\])?$/.test(index);

/** What `$name` is made of. `$_` and `$BASH_…` hold what the shell read. Zsh reads brackets and changes behind a name. */
export function originOfName(following: string): { readonly origin: Origin; readonly evaluates: boolean } {
  const name = /^\w+(?:\[|:[a-zA-Z&])?/.exec(following.slice(0, longestName))?.[0] ?? '';
  return { origin: /^(?:BASH_|_$)|:/.test(name) ? 'computed' : 'variable', evaluates: name.endsWith('[') };
}

/** What `${…}` is made of. */
export interface Braced {
  readonly origin: Origin;
  /** What it evaluates once more; `undefined` where that is not known. */
  readonly evaluated: string | undefined;
  /** It sets a variable that a shell or a program takes for more than a text. */
  readonly defines: boolean;
  /** It sets a variable to more than a number. */
  readonly assigns: boolean;
}

export function originOfBraces(beginning: string): Braced {
  const written = beginning.slice(0, longestName);
  const [whole = '', sign, name = '', index = ''] =
    /^\$\{([!#]?)([a-z_]\w*|\d+|[@*#?$!-])(\[[^\]]*\])?/i.exec(written) ?? [];
  const following = written.slice(whole.length);
  const isPlain = /^(?::?[-+=?][\w./ ,:@%-]*)?\}/.test(following);
  const isCut = /^(?::\s?-?\d+(?::-?\d+)?\}|:?[-+=?]|[#%/^,])/.test(following);
  const isName = whole !== '' && sign !== '!';
  const isSet = /^:?=/.test(following);
  const defines = isSet && (mayDefine(`${name}=`) || isExpanded(name) || isRun(name));
  const assigns = isSet && !/^:?=-?\d*\}/.test(following);
  const evaluated = isName && isSimpleIndex(index) && (isPlain || isCut) ? index : undefined;
  if (!isName || !isPlain || /^(?:BASH_|_$)/.test(name)) return { origin: 'computed', evaluated, defines, assigns };
  return { origin: sign === '#' || /^[#?$!]$/.test(name) ? 'number' : 'variable', evaluated, defines, assigns };
}

/** The place behind `((a + 1))`, where it can be nothing else: no word is followed by another, as in a command. */
export function readCalculation(text: string, at: number, isLoop = false): number | undefined {
  const written = (isLoop ? loopHead : calculationForm).exec(text.slice(at, at + longestCalculation));
  if (written === null || /[\w$}]\s+[\w$]|<<|&&|\|/.test(written[1] ?? '')) return undefined;
  return at + written[0].length;
}

const calculationForm =
  /^\(\(((?:[\w\s+\-*/%<>=!&|^~?:,]|\$(?:\w|[#?$!]|\{#?\w+(?:\[[@*\d]\])?\}|\((?:date \+%[sYmdHMSj]|wc -[clmw] < "?[\w./$]+"?)\))?)*)\)\)/;
/** The same in `for ((…; …; …))`. */
const loopHead = /^\(\(([\w\s+\-*/%<>=!&|^~?:,$;]*)\)\)/;

const longestCalculation = 1000;

/** `$[1 + 2]`, in which quotes and operators mean something else. */
export const isSimpleCalculation = (beginning: string): boolean =>
  /^\$\[[\w\s+\-*/%$]*\]/.test(beginning.slice(0, longestCalculation));
