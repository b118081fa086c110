import { fieldsOf, requestOf, responseOf, textOf, type Fields } from './frame-fields.ts';

/** How much of a text is shown. */
const longest = 160;

const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);
const quoted = (text: string): string => cut(JSON.stringify(text));
const json = (value: unknown): string => cut(JSON.stringify(value) ?? '');

/** Describes the frames of one conversation in a few words each: an answer says what it answers. */
export class FrameDescriber {
  /** Requests of both sides, by their ids. */
  readonly #requests = new Map<string, string>();

  describe(frame: unknown): string {
    const fields = fieldsOf(frame);
    const type = textOf(fields['type']);
    if (type === 'control_request') return this.#request(fields);
    if (type === 'control_response') return this.#answer(frame);
    if (type === 'user' || type === 'assistant') return `${type} ${contentText(fields)}`;
    if (type === 'result') return resultText(fields);
    const subtype = textOf(fields['subtype']) || textOf(fieldsOf(fields['event'])['type']) || textOf(fields['state']);
    return type === '' ? json(frame) : [type, subtype].filter(Boolean).join(' ');
  }

  #request(fields: Fields): string {
    const request = requestOf(fields);
    const text = requestText(request);
    this.#requests.set(textOf(fields['request_id']), text);
    const isCall = 'input' in request && request['subtype'] === 'can_use_tool';
    return isCall ? `asks ${text} ${json(request['input'])}` : `asks ${text}`;
  }

  #answer(frame: unknown): string {
    const response = responseOf(frame);
    const asked = this.#requests.get(textOf(response['request_id'])) ?? 'a request';
    if (response['subtype'] === 'error') return `answers ${asked}: error ${quoted(textOf(response['error']))}`;
    return `answers ${asked}${answerText(asked, fieldsOf(response['response']))}`;
  }
}

function requestText(request: Fields): string {
  const subtype = textOf(request['subtype']);
  const about =
    textOf(request['tool_name']) || textOf(fieldsOf(request['input'])['hook_event_name']) || methodOf(request);
  return [subtype, about].filter(Boolean).join(' ');
}

const methodOf = ({ server_name: server, message }: Fields): string =>
  [textOf(server), textOf(fieldsOf(message)['method'])].filter(Boolean).join(' ');

/** Only what the program decided: answers of the agent are long. */
function answerText(asked: string, answer: Fields): string {
  if (asked.startsWith('can_use_tool')) {
    const message = textOf(answer['message']);
    return `: ${textOf(answer['behavior'])}${message === '' ? '' : ` ${quoted(message)}`}`;
  }
  return asked.startsWith('hook_callback') ? `: ${json(answer)}` : '';
}

function contentText(frame: Fields): string {
  const { content } = fieldsOf(frame['message']);
  if (typeof content === 'string') return quoted(content);
  return Array.isArray(content) ? content.map(blockText).join(', ') : '';
}

function blockText(block: unknown): string {
  const fields = fieldsOf(block);
  switch (fields['type']) {
    case 'text':
      return quoted(textOf(fields['text']));
    case 'tool_use':
      return `calls ${textOf(fields['name'])} ${json(fields['input'])}`;
    case 'tool_result':
      return `${fields['is_error'] === true ? 'tool error' : 'tool result'} ${json(fields['content'])}`;
    default:
      return textOf(fields['type']);
  }
}

function resultText(fields: Fields): string {
  const cost = fields['total_cost_usd'];
  const price = typeof cost === 'number' ? `, $${Number(cost.toFixed(4))} so far` : '';
  const text = textOf(fields['result']);
  return `result ${textOf(fields['subtype'])}${fields['is_error'] === true ? ' with an error' : ''} ${quoted(text)}${price}`;
}
