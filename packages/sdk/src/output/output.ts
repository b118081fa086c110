import { isRecord } from '@hexagent/checks';
import { denied } from '@hexagent/hooking';
import { valueSchemaOf, type ValueSchema } from '@hexagent/mcp-sdk-server';
import type { HookInputOf, HookOutput, HookTable, LaunchOptions, SessionFeature, TurnOutcome } from '@hexagent/ports';
import type { MessageSnapshot } from '../reading/message-snapshot.ts';
import { toAgentSchema, type AgentSchema } from './agent-schema.ts';
import { checkOutput, missingText, refusedText, withoutOutput, type OutputReader } from './checked-output.ts';
import { OutputAttempts, outputTool } from './output-attempts.ts';
import type { OutputOutcome } from './output-schema.ts';

/**
 * The output that the turns of one session must give. The agent is started with the schema and asks the model for it; a hook checks
 * each value with the original schema, so that the model can correct it within the turn.
 */
export class Output implements OutputReader {
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

  /** Starts the agent with the schema, and follows what the model gives. A launch that is made before {@link load} has an empty schema. */
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

  async check(outcome: TurnOutcome): Promise<OutputOutcome<unknown>> {
    if (outcome.kind === 'failed' && outcome.cause === 'output' && outcome.result !== undefined)
      return {
        ...outcome,
        message: outcome.message.replace(hookMark, ''),
        attempts: this.#attempts.of(outcome.result),
      };
    if (outcome.kind !== 'completed') return outcome;
    const given = 'structured_output' in outcome.result ? outcome.result.structured_output : undefined;
    const attempts = this.#attempts.of(outcome.result);
    if (given === undefined) return withoutOutput(outcome, missingText(outcome), attempts);
    const value = this.#valueIn(given);
    const checked = await checkOutput(this.#schema, value);
    return 'problem' in checked
      ? withoutOutput(outcome, refusedText(checked), [...attempts, { value, ...checked }])
      : { ...outcome, output: checked.value };
  }

  /** What has arrived of the newest value. */
  partsIn({ blocks }: MessageSnapshot): readonly unknown[] {
    const calls = blocks.flatMap((block) =>
      block.type === 'tool_use' && block.name === outputTool ? [block.input] : [],
    );
    return calls.slice(-1).map((input) => this.#valueIn(input));
  }

  /** The value, or the part of it that has arrived, in what the model sends. */
  #valueIn(input: unknown): unknown {
    if (this.#agent?.isWrapped !== true) return input;
    return isRecord(input) ? input['value'] : undefined;
  }

  #fit(json: Readonly<Record<string, unknown>>): void {
    this.#agent = toAgentSchema({ json, place, isPlain: this.#schema.isPlain });
  }

  async #judge({ tool_input: input, tool_use_id: id }: HookInputOf<'PreToolUse'>): Promise<HookOutput<'PreToolUse'>> {
    const checked = await checkOutput(this.#schema, this.#valueIn(input));
    if (!('problem' in checked)) return {};
    this.#attempts.refused(id, checked.problem);
    return denied(checked.problem);
  }
}

const place = '`output`';
/** Stands in the agent's message before what our hook found. */
const hookMark = `PreToolUse:${outputTool} hook error: `;
