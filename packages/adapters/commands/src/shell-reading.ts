import { folderName, redefinition } from './shell-names.ts';
import type { Word } from './shell-words.ts';

/** A program and its arguments. */
export interface SimpleCommand {
  readonly words: readonly Word[];
  /** The here-documents and here-strings that it reads. */
  readonly inputs: readonly string[];
  /** It is not a command, but a line of the values in `name=(…)`. */
  readonly isList: boolean;
}

/** A variable that is set, and what is left of its value without quotes and what the shell expands. */
export interface Assignment {
  readonly name: string;
  readonly value: string;
  /** The whole word, with the brackets of the name. */
  readonly word: Word;
}

/** A command as it was read, with its substitutions. */
export class ShellCommand {
  /** Also those in substitutions. */
  readonly commands: SimpleCommand[] = [];
  readonly assignments: Assignment[] = [];
  /** Whether it calculates or expands in a way that evaluates what is in variables once more. */
  evaluates = false;
  /** The variables that are evaluated in calculations with only variables and numbers. */
  readonly calculated: Set<string> = new Set();
  /** The calculated variables that a calculation sets. */
  readonly counted: Set<string> = new Set();
  /** Whether a text that is not in the command may be evaluated: the output of a program, what a word sets a variable to. */
  hasHidden = false;
  /** Whether the output of a program is taken for a number, because of the program's name. */
  trusts = false;
  /** Whether it may give another meaning to the name of such a program. */
  readonly redefines: boolean;
  /** Whether the name of a folder is a text in it. */
  readonly namesFolder: boolean;
  /** Whether it writes to a file by a redirection. */
  writesFile = false;
  /** The command is unfinished, or shells read it differently: it may be anything. */
  isBroken = false;
  /** Whether it has only these commands, one after the other or joined by `;`, `&&`, `||`, `|` or newlines. */
  isCertain = true;

  constructor(text: string) {
    this.redefines = redefinition.test(text);
    this.namesFolder = folderName.test(text);
  }
}
