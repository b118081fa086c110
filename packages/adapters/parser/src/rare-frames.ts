import type { Frame } from '@hexagent/ports';
import { array, boolean, discriminatedUnion, literal, looseObject, number, optional, string, unknown } from 'zod/mini';
import type { ZodMiniType } from 'zod/mini';

// Loose throughout: a newer agent may add fields, and whoever reads the message must still see them.
const someObject = looseObject({});

const controlRequest = looseObject({ request_id: string(), request: looseObject({ subtype: string() }) });

const controlResponse = looseObject({
  response: discriminatedUnion('subtype', [
    looseObject({ subtype: literal('success'), request_id: string(), response: optional(someObject) }),
    looseObject({ subtype: literal('error'), request_id: string(), error: string() }),
  ]),
});

const controlCancelRequest = looseObject({ request_id: string() });

const usage = looseObject({ input_tokens: number(), output_tokens: number() });

const result = looseObject({
  subtype: string(),
  is_error: boolean(),
  num_turns: number(),
  total_cost_usd: number(),
  usage,
  modelUsage: someObject,
  result: optional(string()),
  errors: optional(array(string())),
  terminal_reason: optional(string()),
  user_message_uuids: optional(array(string())),
});

const transcriptMirror = looseObject({ filePath: string(), entries: array(unknown()) });

const schemas: ReadonlyMap<string, ZodMiniType> = new Map<string, ZodMiniType>([
  ['control_request', controlRequest],
  ['control_response', controlResponse],
  ['control_cancel_request', controlCancelRequest],
  ['result', result],
  ['transcript_mirror', transcriptMirror],
]);

/** Says what is wrong with a frame of a type that comes once a turn or less; `undefined` when nothing is. */
export function checkRare(frame: Frame): string | undefined {
  const checked = schemas.get(frame.type)?.safeParse(frame);
  if (checked === undefined || checked.success) return undefined;
  const issue = checked.error.issues[0];
  const path = issue?.path.map(String).join('.') ?? '';
  // The mini edition of zod carries no sentences, only what was expected.
  return `${frame.type}: \`${path}\` ${issue?.code === 'invalid_type' ? `is no ${issue.expected}` : 'is nothing that is known'}`;
}
