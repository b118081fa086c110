import { isRecord } from '@hexagent/checks';
import type { Frame } from '@hexagent/ports';

/** What is wrong with a value: the path in it, and what is there. */
interface Wrong {
  readonly path: readonly string[];
  readonly what: string;
}

type Check = (value: unknown) => Wrong | undefined;

function kind(name: string, isOne: (value: unknown) => boolean): Check {
  const wrong: Wrong = { path: [], what: `is not ${name}` };
  return (value) => (isOne(value) ? undefined : wrong);
}

const text = kind('a string', (value) => typeof value === 'string');
const flag = kind('a boolean', (value) => typeof value === 'boolean');
const number = kind('a number', Number.isFinite);
const list = kind('a list', Array.isArray);
const object = kind('an object', isRecord);
const content = kind('a text or a list', (value) => typeof value === 'string' || Array.isArray(value));
const texts = kind(
  'a list of strings',
  (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
);

const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined ? undefined : check(value);

/** Other fields are accepted: a newer agent may add some, and they reach the program. */
function fields(checks: Readonly<Record<string, Check>>): Check {
  const entries = Object.entries(checks);
  return (value) => {
    if (!isRecord(value)) return object(value);
    for (const [name, check] of entries) {
      const wrong = check(value[name]);
      if (wrong !== undefined) return { ...wrong, path: [name, ...wrong.path] };
    }
    return undefined;
  };
}

const each =
  (check: Check): Check =>
  (value) => {
    if (!Array.isArray(value)) return list(value);
    const wrongs = value.map(check);
    const index = wrongs.findIndex((wrong) => wrong !== undefined);
    const wrong = wrongs[index];
    return wrong && { ...wrong, path: [String(index), ...wrong.path] };
  };

/** A check for each value of `subtype`. */
function bySubtype(checks: Readonly<Record<string, Check>>, other: Check): Check {
  const known = new Map<unknown, Check>(Object.entries(checks));
  return (value) => (isRecord(value) ? (known.get(value['subtype']) ?? other)(value) : object(value));
}

const unknownSubtype: Check = () => ({ path: ['subtype'], what: 'is nothing that is known' });

/** The fields that the SDK itself reads, by the type of the frame. An unknown type is not an error. */
const checks: ReadonlyMap<string, Check> = new Map([
  ['stream_event', fields({ event: fields({ type: text }) })],
  ['assistant', fields({ message: fields({ content: list }) })],
  ['user', fields({ message: fields({ content }) })],
  [
    'system',
    bySubtype(
      {
        session_state_changed: fields({ state: text }),
        background_tasks_changed: fields({ tasks: each(fields({ task_id: text, task_type: text })) }),
        task_started: fields({ task_id: text }),
        task_notification: fields({ task_id: text, status: text }),
        init: fields({ session_id: text, user_message_uuids: optional(texts) }),
      },
      fields({ subtype: text }),
    ),
  ],
  ['command_lifecycle', fields({ command_uuid: text, state: text })],
  ['control_request', fields({ request_id: text, request: fields({ subtype: text }) })],
  [
    'control_response',
    fields({
      response: bySubtype(
        {
          success: fields({ request_id: text, response: optional(object) }),
          error: fields({ request_id: text, error: text }),
        },
        unknownSubtype,
      ),
    }),
  ],
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

/** Returns what is wrong with the first field of a frame that fails its check; `undefined` for a valid frame. */
export function checkInbound(frame: Frame): string | undefined {
  if (isStreamEvent(frame)) return undefined;
  const wrong = checks.get(frame.type)?.(frame);
  return wrong && `${frame.type}: \`${wrong.path.join('.')}\` ${wrong.what}`;
}

/** Nearly all lines of a stream. To find their check by their type takes a sixth of the time of a line. */
function isStreamEvent(frame: Frame): boolean {
  if (frame.type !== 'stream_event' || !('event' in frame)) return false;
  return isRecord(frame.event) && typeof frame.event['type'] === 'string';
}
