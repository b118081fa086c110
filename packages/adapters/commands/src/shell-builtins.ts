import { isSpecial } from './shell-names.ts';
import { nameOf } from './shell-programs.ts';
import { isVaried, type Word } from './shell-words.ts';

/** The variable that a word names or sets; `undefined` where a piece of its name is unknown. */
function targetOf({ text, knownLength, isUnknown }: Word): string | undefined {
  const target = text.split(/\+?=/, 1)[0] ?? '';
  return isUnknown && target.length >= knownLength ? undefined : target;
}

const names = /^[a-z_]\w*$/i;
const isName = (word: Word): boolean => names.test(word.text) && !word.isUnknown && !isSpecial(word.text);

/** The effects of a builtin on its names and values. */
export interface Effect {
  /** It evaluates its words, or the values of the variables that they name. */
  readonly evaluates?: boolean;
  /** The variables that it evaluates, where it does nothing else with what is unknown. */
  readonly calculates?: readonly string[];
  /** It sets variables to texts that are not in the command. */
  readonly reads?: boolean;
  /** It evaluates its words if they are a list of values. */
  readonly takesLists?: boolean;
  /** It makes a variable a list of values. */
  readonly makesLists?: boolean;
  /** It may set any variable, gives a variable another name, or sets one that the shell or a program evaluates or runs. */
  readonly setsAny?: boolean;
}

/** The builtins that set variables or calculate, in Bash and zsh. All others take their words for text. */
const builtins: Readonly<Record<string, ((others: readonly Word[]) => Effect) | undefined>> = {
  let: () => ({ evaluates: true }),
  integer: () => ({ evaluates: true }),
  float: () => ({ evaluates: true }),
  print: () => ({ evaluates: true }),
  compgen: () => ({ evaluates: true }),
  declare: declared,
  typeset: declared,
  local: declared,
  export: (others) => ({ ...declared(others), takesLists: false }),
  readonly: (others) => ({ ...declared(others), takesLists: false }),
  unset: ofNames,
  wait: ofNames,
  getopts: ofNames,
  read: reading,
  mapfile: (others) => ({ ...reading(others), makesLists: true }),
  readarray: (others) => ({ ...reading(others), makesLists: true }),
  printf: printing,
  test: testing,
  '[': testing,
  '[[': comparing,
  // Zsh calculates what they are given.
  exit: calculating,
  return: calculating,
  shift: calculating,
  break: calculating,
  continue: calculating,
  git: (others) => ({ setsAny: others.some(({ text }) => text.startsWith('--config-env')) }),
  // Without `in`, it takes the arguments.
  for: ([name, next]) => ({
    reads: name !== undefined && next?.text !== 'in',
    setsAny: name !== undefined && isSpecial(name.text),
  }),
  select: ([name]) => ({ reads: true, setsAny: name !== undefined && isSpecial(name.text) }),
};

export function effectOf(first: Word, others: readonly Word[]): Effect {
  const name = nameOf(first);
  return (Object.hasOwn(builtins, name) ? builtins[name]?.(others) : undefined) ?? {};
}

/** `export` and `readonly` take lists where an option says so. */
function declared(others: readonly Word[]): Effect {
  const options = others.filter(({ text }) => /^[-+]/.test(text));
  const targets = others.filter(({ text }) => !/^[-+]/.test(text)).map(targetOf);
  const letters = options.map(({ text }) => text).join('');
  return {
    evaluates:
      options.some(isVaried) || !/^[-+fgprtx]*$/.test(letters) || targets.some((name = '') => name.includes('[')),
    takesLists: others.some((word) => isVaried(word) || /[$`]/.test(word.text)),
    makesLists: /[aA]/.test(letters),
    setsAny: letters.includes('n') || options.some(isVaried) || targets.includes(undefined),
  };
}

function ofNames(others: readonly Word[]): Effect {
  return {
    evaluates: !others.every((word) => isName(word) || /^[-%\d]?[\w:]*$/.test(word.text)) || others.some(isVaried),
  };
}

function reading(others: readonly Word[]): Effect {
  const given = others.filter(({ text }) => !text.startsWith('-'));
  return {
    reads: true,
    makesLists: others.some(({ text }) => /^-\w*a/.test(text)),
    evaluates: !given.every(({ text }) => /^[\w./]*$/.test(text)),
    setsAny: given.some(({ text }) => isSpecial(text)) || others.some(isVaried),
  };
}

function printing(others: readonly Word[]): Effect {
  const [first, second] = others;
  if (first === undefined) return {};
  // Zsh calculates what is printed as a number.
  if (!first.text.startsWith('-v') && !isVaried(first))
    return calculating(printedNumbers(first.text, others.slice(1)).filter(isVaried));
  const isSet = first.text.startsWith('-v');
  const name = first.text === '-v' && !first.isUnknown ? second : first;
  return {
    evaluates: !isSet || name === undefined || !/^(?:-v)?\w*$/.test(name.text),
    reads: isSet,
    setsAny: isSet && name !== undefined && (isVaried(name) || isSpecial(name.text.replace(/^-v/, ''))),
  };
}

/** The variables that are evaluated where these words are calculated; those that are named without `$`, too. */
function calculating(operands: readonly Word[]): Effect {
  const unknown = operands.filter((word) => isVaried(word) || !/^[-+]?\d*$/.test(word.text));
  const variables = unknown.map(
    (word) => word.variable ?? (names.test(word.text) && !word.isUnknown ? word.text : undefined),
  );
  return { evaluates: variables.includes(undefined), calculates: variables.filter((name) => name !== undefined) };
}

/** The arguments that a format prints as numbers; it is used again until none is left. */
function printedNumbers(format: string, given: readonly Word[]): readonly Word[] {
  const kinds = Array.from(format.matchAll(/%[^%a-z]*([a-z%])/gi), ([, kind = '']) => kind).filter(
    (kind) => kind !== '%',
  );
  if (/%[^a-z]*\*/i.test(format)) return given;
  return given.filter((_, at) => /[diouxefga]/i.test(kinds[at % kinds.length] ?? ''));
}

const isOperand = (word: Word): boolean => isVaried(word) || !/^-\w+$|^\]\]?$|^[!=<>]=?$/.test(word.text);

/** Operands of numeric comparisons are calculated. */
function comparing(others: readonly Word[]): Effect {
  if (others.some(({ text }) => /^-[vR]$/.test(text))) return { evaluates: true };
  return others.some(({ text }) => /^-(?:eq|ne|lt|le|gt|ge|t)$/.test(text))
    ? calculating(others.filter(isOperand))
    : {};
}

/** `-v` evaluates the brackets of a name. What becomes several words may hold it, and so may a word where an operator may stand. */
function testing(others: readonly Word[]): Effect {
  if (others.some(({ text }) => /^-[vR]$/.test(text))) return { evaluates: true };
  const operands = others.filter(({ text, isUnknown }) => isUnknown || (text !== ']' && text !== '!'));
  const isOperator = (word: Word | undefined): boolean =>
    word !== undefined && !word.isUnknown && /^(?:-(?![oa]$)\w+|[!=<>]=?|==)$/.test(word.text);
  const unclear = operands.filter(
    (word, at) =>
      isVaried(word) &&
      (word.isSplit || (operands.length > 1 && !isOperator(operands[at - 1]) && !isOperator(operands[at + 1]))),
  );
  return calculating(unclear);
}
