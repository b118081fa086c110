import type { ParameterExpansionPart, ParameterOperation } from 'unbash';
import { isExpanded, isRun, mayDefine } from './shell-names.ts';

/**
 * `number`: digits. `variable`: what another part of the command, or its environment, holds. `computed`: the output of a
 * program, a changed text, the contents of a file.
 */
export type Origin = 'known' | 'number' | 'variable' | 'computed';

const origins: readonly Origin[] = ['known', 'number', 'variable', 'computed'];

export const lessKnown = (one: Origin, other: Origin): Origin =>
  origins.indexOf(one) < origins.indexOf(other) ? other : one;

/** A single pipeline whose last program prints only digits, unless its name was redefined. */
const numbers =
  /^[^;&\n\\#)]*?(?:^|[^|>]\|)\s*(?:wc(?: -[clmw]+)*(?:\s*<\s*[\w./"$-]+)?|seq(?: \d+)+|date \+%[sYmdHMSj]|grep -c (?:\w+|'[^']*')(?: (?:[\w./]+|"[\w./$]+"))?|nproc)\s*$/;

/** Whether a program prints a number, unless its name was redefined. */
export const isNumber = (program: string): boolean => program.length <= longestName && numbers.test(program);

const longestName = 200;

/** The brackets of a name, with nothing in them but a sum of variables and numbers. */
export const isSimpleIndex = (index: string): boolean => /^(?:\[(?:[@*]|(?:\w|\$\w|[\s+-])*)\])?$/.test(index);

/** What `$name` is made of. `$_` and `$BASH_…` hold what the shell read. Zsh reads brackets and changes behind a name. */
export function originOfName(following: string): { readonly origin: Origin; readonly evaluates: boolean } {
  const name = /^\w+(?:\[|:[a-zA-Z&])?/.exec(following.slice(0, longestName))?.[0] ?? '';
  return { origin: /^(?:BASH_|_$)|:/.test(name) ? 'computed' : 'variable', evaluates: name.endsWith('[') };
}

/** The findings about `${…}`. */
export interface Braced {
  readonly origin: Origin;
  /** The text that it evaluates; `undefined` where that is not known. */
  readonly evaluated: string | undefined;
  /** Whether it sets a variable that a shell or a program evaluates or runs. */
  readonly defines: boolean;
  /** Whether it sets a variable to anything but a number. */
  readonly assigns: boolean;
}

export function originOfBraces({ parameter, prefix, index, operation }: ParameterExpansionPart): Braced {
  const isDefault = operation?.type === 'Default';
  const isSet = isDefault && operation.operator.endsWith('=');
  const brackets = index === undefined ? '' : `[${index.text}]`;
  const isEvaluated = prefix === '!' || !isSimpleIndex(brackets) || (operation !== undefined && evaluates(operation));
  const isKept = operation === undefined || (isDefault && /^[\w./ ,:@%-]*$/.test(operation.operand.text));
  const isNumber = prefix === '#' || /^[#?$!]$/.test(parameter);
  return {
    origin:
      prefix === '!' || !isKept || /^(?:BASH_|_$)/.test(parameter) ? 'computed' : isNumber ? 'number' : 'variable',
    evaluated: isEvaluated ? undefined : brackets,
    defines: isSet && (mayDefine(`${parameter}=`) || isExpanded(parameter) || isRun(parameter)),
    assigns: isSet && !/^-?\d*$/.test(operation.operand.text),
  };
}

/** The places of a slice are calculated, and a transformation may expand the value once more. */
function evaluates(operation: ParameterOperation): boolean {
  if (operation.type === 'Slice')
    return ![operation.offset, operation.length].every((word) => word === undefined || /^\s?-?\d+$/.test(word.text));
  return operation.type === 'Transform' || operation.type === 'Names' || operation.type === 'Unknown';
}
