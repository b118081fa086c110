/* Names and marks that mean something to a shell. */

/** The variables by which a shell, Bash or zsh, has aliases, functions and places of programs set. */
const definitions = /\bBASH_(?:ALIASES|CMDS)\b|^(?:functions|[gs]?aliases|commands)(?:\[|\+?=)/;

/** Whether it may define what a name means to the shell. */
export const mayDefine = (text: string): boolean => definitions.test(text);

/** Programs whose output is digits. */
const trusted = 'wc|seq|date|grep|nproc';

/** The definition of a function or an alias with the name of one of them. */
export const redefinition: RegExp = new RegExp(
  String.raw`(?:^|[^\w.-])(?:${trusted})(?:\s[\w\s]*)?\(\s*\)|\b(?:alias|hash|enable)\b|\bfunction\s+(?:${trusted})\b`,
);

/** Texts that hold the name of a folder, which may be any text. */
export const folderName: RegExp = /\b(?:OLD)?PWD\b|\bDIRSTACK\b|(?:^|[\s=:])~[-+\d]/;

/** Variables that a shell expands or calculates where it uses them, or where they are set. */
const expanded = /^(?:PS\d|R?PROMPT\d?|BASH_\w+|ENV|DIRSTACK|PIPESTATUS)$/;
/** The expanded variables that hold numbers: the shell calculates their values. */
const calculated = /^(?:S?RANDOM|HISTCMD|OPTIND)$/;
/** Variables whose value is a command, to the shell or to a program that finds it in its environment. */
const run =
  /^(?:PROMPT_COMMAND|GIT_\w+|LESS(?:OPEN|CLOSE)|\w*(?:PAGER|EDIT|EDITOR|VISUAL|BROWSER|SHELL|COMMAND|ASKPASS|_RSH))$/;

export const isCalculated = (name: string): boolean => calculated.test(name);
export const isExpanded = (name: string): boolean => expanded.test(name) || isCalculated(name);
export const isRun = (name: string): boolean => run.test(name);
export const isSpecial = (name: string): boolean => isExpanded(name) || isRun(name);

/** Words that begin a part of a compound command. Another command may follow each of them. */
const reserved: ReadonlySet<string> = new Set(
  '! { } [[ ]] if then elif else fi for while until do done case esac select function in time coproc'.split(' '),
);

export const isReserved = (word: string): boolean => reserved.has(word);
