import type { StandardSchema } from '@hexagent/mcp-sdk-server';
import type { CompletedTurn, TurnOutcome } from '@hexagent/ports';

/** What describes an output: a schema of zod, valibot, arktype or any other library that follows the Standard Schema, or a JSON Schema. */
export type OutputSchema = StandardSchema | JsonSchemaObject;

/** A JSON Schema as plain data. */
export interface JsonSchemaObject {
  /** What has it is a schema of a library. */
  readonly '~standard'?: never;
  readonly [keyword: string]: unknown;
}

type TypesOf<Schema extends OutputSchema> = Schema extends StandardSchema
  ? NonNullable<Schema['~standard']['types']>
  : { readonly input: unknown; readonly output: unknown };

/** The type of an output: what the library makes of the model's value. Of a JSON Schema it is `unknown`. */
export type OutputOf<Schema extends OutputSchema> = TypesOf<Schema>['output'];

/** An output while it arrives: what the model sends, of which anything may be missing and a text may be cut off. */
export type OutputPart<Schema extends OutputSchema> = PartOf<TypesOf<Schema>['input']>;

type PartOf<Value> = Value extends string
  ? string
  : Value extends readonly (infer Item)[]
    ? readonly PartOf<Item>[]
    : Value extends object
      ? { readonly [Key in keyof Value]?: PartOf<Value[Key]> }
      : Value;

/** What `send()` takes beside the message. */
export interface SendOptions<Schema extends OutputSchema = never> {
  /**
   * The schema of what this turn alone gives as its output. The agent takes a schema at its start only: in a session with the option
   * `output` it is refused, and in another one the message asks for JSON, which the model does not correct within the turn.
   */
  readonly output?: Schema | undefined;
  /**
   * With `output`: has the model correct an answer that does not pass, in one more turn behind those that are queued by then. The outcome is
   * that of the last turn; `session.ledger` has what both spent. It begins when the outcome is asked for. Default: it is not corrected.
   */
  readonly repair?: boolean | undefined;
}

/** How a turn ended that had to give an output: completed with it, or in another way. */
export type OutputOutcome<Output> = TurnWithOutput<Output> | Exclude<TurnOutcome, CompletedTurn>;

/** The agent finished, and its output passed the schema. */
export interface TurnWithOutput<Output> extends CompletedTurn {
  /** What the schema made of the value of the model. */
  readonly output: Output;
}
