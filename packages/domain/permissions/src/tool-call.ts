import { currentToolName } from '@hexagent/checks';
import type { CommandReader, CommandReading } from '@hexagent/ports';
import { domainOf } from './domain-rules.ts';
import { alsoFrom, pathsOf, type Places } from './path-rules.ts';

/** The parts of a tool call that a policy reads. */
export interface ToolCall {
  /** The agent's id of the call, if the agent makes it. */
  readonly id?: string | undefined;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The MCP server that has the tool, under its own name, if the agent reported it. */
  readonly server?: string | undefined;
  /** Whether the agent marks the call as a question to a person. */
  readonly needsPerson?: boolean | undefined;
  /** Where the agent works at the moment, if it reported that. */
  readonly cwd?: string | undefined;
  /** Whether the agent requests permission for the call. It has the allow rules with content, so no such rule covers the call. */
  readonly isAskedFor?: boolean | undefined;
}

/** The members of inputs that rules read. */
const readMembers = ['command', 'file_path', 'notebook_path', 'path', 'url', 'subagent_type', 'skill', 'args'] as const;

type ReadInput = { readonly [Member in (typeof readMembers)[number]]?: unknown };

/** A call as rules read it: each part of its input is read once, when a rule needs it. */
export class ReadCall {
  readonly tool: string;
  readonly server: string | undefined;
  /** Nothing else is kept: `isSame()` compares all that rules can read. A copy, since hooks may change the input. */
  readonly #input: ReadInput;
  readonly #commands: CommandReader;
  #reading: CommandReading | undefined;
  readonly places: Places;
  #paths: readonly (readonly string[])[] | undefined;

  constructor(call: ToolCall, places: Places, commands: CommandReader) {
    this.#input = Object.fromEntries(readMembers.map((member) => [member, call.input[member]]));
    this.server = call.server;
    this.#commands = commands;
    this.places = alsoFrom(places, call.cwd);
    this.tool = currentToolName(call.tool);
  }

  /** Whether rules that restrict read the same of another call. A member that is an object is never the same. */
  isSame(other: ReadCall): boolean {
    return this.tool === other.tool && readMembers.every((member) => this.#input[member] === other.#input[member]);
  }

  /** The command of a shell; `undefined` where the input has none, or something else in its place. */
  get command(): string | undefined {
    const { command } = this.#input;
    return typeof command === 'string' ? command : undefined;
  }

  get reading(): CommandReading {
    this.#reading ??= this.#commands.read(this.command ?? '', this.tool === 'PowerShell' ? 'powershell' : 'bash');
    return this.#reading;
  }

  /** The file or folder; without one, the folder in which the agent works. Empty where something else is in its place. */
  get paths(): readonly (readonly string[])[] {
    this.#paths ??= this.#readPaths();
    return this.#paths;
  }

  /** A tool reads one of these members and ignores the others. */
  #readPaths(): readonly (readonly string[])[] {
    const { file_path, notebook_path, path } = this.#input;
    const given = [file_path, notebook_path, path].filter((value) => value !== undefined && value !== null);
    if (!given.every((value) => typeof value === 'string')) return [];
    return (given.length === 0 ? ['.'] : given).flatMap((value) => pathsOf(value, this.places));
  }

  get domain(): string | undefined {
    return domainOf(this.#input.url);
  }

  /** The name of the subagent or of the skill, in lower case. */
  get name(): string | undefined {
    const { subagent_type, skill, args } = this.#input;
    if (this.tool === 'Agent') return typeof subagent_type === 'string' ? subagent_type.toLowerCase() : undefined;
    if (typeof skill !== 'string') return undefined;
    return typeof args === 'string' && args !== '' ? `${skill} ${args}`.toLowerCase() : skill.toLowerCase();
  }
}
