import { isRecord } from '@hexagent/checks';
import type { Frame } from '@hexagent/ports';

/** Returns what is wrong with the value at this path of a frame; `undefined` for a valid one. */
type Check = (value: unknown, path: string) => string | undefined;

function kind(name: string, isOne: (value: unknown) => boolean): Check {
  return (value, path) => (isOne(value) ? undefined : `\`${path}\` is not ${name}`);
}

const text = kind('a string', (value) => typeof value === 'string');
const flag = kind('a boolean', (value) => typeof value === 'boolean');
const number = kind('a number', Number.isFinite);
const list = kind('a list', Array.isArray);
const texts = kind(
  'a list of strings',
  (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
);
const object = kind('an object', isRecord);

const optional =
  (check: Check): Check =>
  (value, path) =>
    value === undefined ? undefined : check(value, path);

/** Other fields are accepted: a newer agent may add some, and they reach the program. */
function fields(checks: Readonly<Record<string, Check>>): Check {
  return (value, path) => {
    if (!isRecord(value)) return object(value, path);
    for (const [name, check] of Object.entries(checks)) {
      const wrong = check(value[name], path === '' ? name : `${path}.${name}`);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  };
}

const responses = new Map<unknown, Check>([
  ['success', fields({ request_id: text, response: optional(object) })],
  ['error', fields({ request_id: text, error: text })],
]);

function response(value: unknown, path: string): string | undefined {
  if (!isRecord(value)) return object(value, path);
  const check = responses.get(value['subtype']);
  return check === undefined ? `\`${path}.subtype\` is nothing that is known` : check(value, path);
}

const checks: ReadonlyMap<string, Check> = new Map([
  ['control_response', fields({ response })],
  ['control_cancel_request', fields({ request_id: text })],
  [
    'result',
    fields({
      subtype: text,
      is_error: flag,
      num_turns: number,
      total_cost_usd: number,
      usage: fields({ input_tokens: number, output_tokens: number }),
      modelUsage: object,
      result: optional(text),
      errors: optional(texts),
      terminal_reason: optional(text),
      user_message_uuids: optional(texts),
    }),
  ],
  ['transcript_mirror', fields({ filePath: text, entries: list })],
]);

/** Returns what is wrong with a frame of a type that arrives once a turn or less; `undefined` for a valid one. */
export function checkRare(frame: Frame): string | undefined {
  const wrong = checks.get(frame.type)?.(frame, '');
  return wrong === undefined ? undefined : `${frame.type}: ${wrong}`;
}
