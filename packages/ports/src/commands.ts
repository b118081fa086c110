/** The shell whose grammar a command follows. `bash` stands for the shells that resemble it. */
export type CommandShell = 'bash' | 'powershell';

/** A word of a command. */
export interface CommandWord {
  /** What the program receives, without quotes. Of an `unknown` word, the known pieces. */
  readonly text: string;
  /**
   * `plain`: written exactly so. `quoted`: known, and written with quotes or escapes. `unknown`: the shell puts in what a
   * variable, another program or the names of files are, so it may be any text and any number of words.
   */
  readonly form: 'plain' | 'quoted' | 'unknown';
}

/** A program and its arguments. */
export type CommandWords = readonly CommandWord[];

/** What a command is written of, and what it may run. */
export interface CommandReading {
  /** The commands that are written in it, in their order, those in substitutions included. */
  readonly parts: readonly CommandWords[];
  /** Whether it runs its parts, one after the other or joined by pipes, and nothing else. */
  readonly isCertain: boolean;
  /** Whether it has a loop, a condition or a function, or cannot be read to its end: `parts` may then not be commands. */
  readonly isCompound: boolean;
  /** Whether it writes to a file by a redirection. */
  readonly writesFile: boolean;
  /** Each program that it may run: its parts, and what these run, such as `rm x` of `sudo sh -c "rm x"`. */
  readonly candidates: readonly CommandWords[];
  /** Texts in other languages that it runs: a program that one mentions may run. */
  readonly scripts: readonly string[];
  /** Why it may run anything, as a clause; `undefined` where `candidates` and `scripts` are all that it may run. */
  readonly anything: string | undefined;
}

/**
 * Reads which commands a text may run. Called for each call of a shell and for each rule that has a command. In doubt a
 * reading has one candidate too many, or may run anything, and is not certain.
 */
export interface CommandReader {
  /** Never throws, whatever the text, and takes no noticeable time: what is too long to be read may run anything. */
  read(text: string, shell: CommandShell): CommandReading;
}
