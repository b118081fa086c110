import type { Frame } from '@hexagent/ports';
import { array, boolean, discriminatedUnion, literal, looseObject, number, optional, string, unknown } from 'zod/mini';
import type { ZodMiniType } from 'zod/mini';

// Loose throughout: a newer agent may add fields, and whoever reads the message must still see them.
// Functions, since making a schema costs more than importing all of this package: each is made when its first frame comes.

const controlResponse = (): ZodMiniType =>
  looseObject({
    response: discriminatedUnion('subtype', [
      looseObject({ subtype: literal('success'), request_id: string(), response: optional(looseObject({})) }),
      looseObject({ subtype: literal('error'), request_id: string(), error: string() }),
    ]),
  });

const controlCancelRequest = (): ZodMiniType => looseObject({ request_id: string() });

const result = (): ZodMiniType =>
  looseObject({
    subtype: string(),
    is_error: boolean(),
    num_turns: number(),
    total_cost_usd: number(),
    usage: looseObject({ input_tokens: number(), output_tokens: number() }),
    modelUsage: looseObject({}),
    result: optional(string()),
    errors: optional(array(string())),
    terminal_reason: optional(string()),
    user_message_uuids: optional(array(string())),
  });

const transcriptMirror = (): ZodMiniType => looseObject({ filePath: string(), entries: array(unknown()) });

const recipes: ReadonlyMap<string, () => ZodMiniType> = new Map([
  ['control_response', controlResponse],
  ['control_cancel_request', controlCancelRequest],
  ['result', result],
  ['transcript_mirror', transcriptMirror],
]);

const schemas = new Map<string, ZodMiniType>();

/** Says what is wrong with a frame of a type that comes once a turn or less; `undefined` when nothing is. */
export function checkRare(frame: Frame): string | undefined {
  const checked = schemaOf(frame.type)?.safeParse(frame);
  if (checked === undefined || checked.success) return undefined;
  const issue = checked.error.issues[0];
  const path = issue?.path.map(String).join('.') ?? '';
  // The mini edition of zod carries no sentences, only what was expected.
  return `${frame.type}: \`${path}\` ${issue?.code === 'invalid_type' ? `is no ${issue.expected}` : 'is nothing that is known'}`;
}

function schemaOf(type: string): ZodMiniType | undefined {
  const made = schemas.get(type) ?? recipes.get(type)?.();
  if (made !== undefined) schemas.set(type, made);
  return made;
}
