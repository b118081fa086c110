import { errorText, isRecord } from '@hexagent/checks';
import { valueSchemaOf, type ValueSchema } from '@hexagent/mcp-sdk-server';
import type {
  CompletedTurn,
  FailedTurn,
  HookInputOf,
  HookOutput,
  HookTable,
  LaunchOptions,
  OutputAttempt,
  SessionFeature,
  TurnOutcome,
} from '@hexagent/ports';
import { toAgentSchema, type AgentSchema } from './agent-schema.ts';
import { OutputAttempts, outputTool } from './output-attempts.ts';
import type { OutputOutcome } from './output-schema.ts';

/**
 * The output that the turns of one session must give. The agent is started with the schema and asks the model for it; a hook checks
 * each value with the original schema, so that the model can correct it within the turn.
 */
export class Output {
  readonly #schema: ValueSchema;
  readonly #attempts = new OutputAttempts();
  #agent: AgentSchema | undefined;

  /** @throws {TypeError} for anything but a schema that the agent can be given, naming the place in it. */
  constructor(schema: unknown) {
    this.#schema = valueSchemaOf(schema, place);
    const { json } = this.#schema;
    if (typeof json !== 'function') this.#fit(json);
  }

  /** Whether it can be used without {@link load}, which loads zod where a schema needs it. */
  get isLoaded(): boolean {
    return this.#agent !== undefined;
  }

  async load(): Promise<void> {
    const { json } = this.#schema;
    if (typeof json === 'function') this.#fit(await json());
  }

  /** Starts the agent with the schema, and follows what the model gives. Needs to be loaded when the launch is made. */
  get feature(): SessionFeature {
    const schema = (): AgentSchema['json'] | undefined => this.#agent?.json;
    return {
      name: 'output',
      get launch(): Partial<LaunchOptions> {
        return { outputFormat: { type: 'json_schema', schema: schema() ?? {} } };
      },
      receive: (message) => this.#attempts.note(message),
    };
  }

  /** The hooks of a program, and the check of outputs. */
  hooks(table: HookTable = {}): HookTable {
    const own = { matcher: outputTool, hooks: [(input: HookInputOf<'PreToolUse'>) => this.#judge(input)] };
    return { ...table, PreToolUse: [...(table.PreToolUse ?? []), own] };
  }

  /** The outcome of a turn, completed only with an output that passes the schema. */
  async check(outcome: TurnOutcome): Promise<OutputOutcome<unknown>> {
    if (outcome.kind === 'failed' && outcome.cause === 'output')
      return { ...outcome, attempts: this.#attempts.of(outcome.result) };
    if (outcome.kind !== 'completed') return outcome;
    const given = 'structured_output' in outcome.result ? outcome.result.structured_output : undefined;
    if (given === undefined) return this.#failed(outcome, 'The turn ended without an output.');
    const value = this.partOf(given);
    const problem = await this.#problemOf(value);
    return 'problem' in problem
      ? this.#failed(outcome, `The output does not pass its schema:\n${problem.problem}`, { value, ...problem })
      : { ...outcome, output: problem.value };
  }

  /** The value, or the part of it that has arrived, in what the model sends. */
  partOf(input: unknown): unknown {
    if (this.#agent?.isWrapped !== true) return input;
    return isRecord(input) ? input['value'] : undefined;
  }

  #fit(json: Readonly<Record<string, unknown>>): void {
    this.#agent = toAgentSchema({ json, place, isPlain: this.#schema.isPlain });
  }

  async #judge({ tool_input: input, tool_use_id: id }: HookInputOf<'PreToolUse'>): Promise<HookOutput<'PreToolUse'>> {
    const checked = await this.#problemOf(this.partOf(input));
    if (!('problem' in checked)) return {};
    this.#attempts.refused(id, checked.problem);
    return {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: checked.problem,
      },
    };
  }

  async #problemOf(value: unknown): Promise<{ readonly value: unknown } | { readonly problem: string }> {
    try {
      const checked = await this.#schema.check(value);
      return 'problems' in checked ? { problem: checked.problems.join('\n') } : checked;
    } catch (error) {
      return { problem: `The schema could not check it: ${errorText(error)}` };
    }
  }

  #failed(outcome: CompletedTurn, message: string, last?: OutputAttempt): FailedTurn {
    const attempts = this.#attempts.of(outcome.result);
    return {
      ...outcome,
      kind: 'failed',
      cause: 'output',
      message,
      attempts: last === undefined ? attempts : [...attempts, last],
    };
  }
}

const place = '`output`';
