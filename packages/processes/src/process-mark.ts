/** Set in the environment of a program, and so inherited by everything it starts, even in other sessions. */
export const markVariable = 'HEXAGENT_AGENT';

export interface ProcessMark {
  /** Letters and digits only. */
  readonly id: string;
  /** The value of the variable. A program below another one carries both ids, so that ending the outer one ends both. */
  readonly value: string;
}

export function createMark(outer: string | undefined = process.env[markVariable]): ProcessMark {
  const id = crypto.randomUUID().replaceAll('-', '');
  return { id, value: outer === undefined || outer === '' ? id : `${outer}:${id}` };
}

/** The program that started a process, according to its environment. */
export interface Origin {
  /** The ids of the programs above it, outermost first. */
  readonly marks: readonly string[];
  /** The number of the program that started this, as that program set it: a second trace where a wrapper clears the environment. */
  readonly startedBy: number | undefined;
  /** The variables that a shell sets anew for each program that it starts: equal for two processes with no shell in between. */
  readonly shell: string;
}

/** `undefined` for a process that no program started. */
export function readOrigin(environment: string): Origin | undefined {
  const variables = `\0${environment}`;
  const mark = valueOf(variables, markVariable);
  const startedBy = valueOf(variables, 'CLAUDE_PID');
  if (mark === undefined && startedBy === undefined) return undefined;
  return {
    marks: mark?.split(':') ?? [],
    startedBy: startedBy === undefined ? undefined : Number(startedBy),
    shell: readShell(environment),
  };
}

export function readShell(environment: string): string {
  const variables = `\0${environment}`;
  return ['SHLVL', '_'].map((name) => `${name}=${valueOf(variables, name) ?? ''}`.replaceAll('\n', ' ')).join(',');
}

function valueOf(variables: string, name: string): string | undefined {
  const start = variables.indexOf(`\0${name}=`);
  if (start === -1) return undefined;
  const value = variables.slice(start + name.length + 2);
  const end = value.indexOf('\0');
  return end === -1 ? value : value.slice(0, end);
}
