import { isRecord, shown } from '@hexagent/checks';
import type { OutboundFrame } from '@hexagent/ports';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns why the agent would exit on a frame, or would drop it without an answer; `undefined` for a valid frame. The
 * types exclude most of these frames, but a JavaScript program can pass any value, and one such line ends the session.
 */
export function checkOutbound(frame: OutboundFrame): string | undefined {
  switch (frame.type) {
    case 'user':
      return checkUser(frame.message);
    case 'control_request':
      return (
        checkText('request_id', frame.request_id) ??
        checkObject('request', frame.request) ??
        checkText('request.subtype', frame.request.subtype)
      );
    case 'control_response':
      return checkResponse(frame.response);
    case 'control_cancel_request':
      return checkText('request_id', frame.request_id);
    default:
      return `\`type\` is ${shown((frame as Fields)['type'])}, which is nothing the agent reads.`; // possible only from untyped code
  }
}

function checkUser(message: Fields): string | undefined {
  const wrong = checkObject('message', message);
  if (wrong !== undefined) return wrong;
  if (message['role'] !== 'user')
    return `\`message.role\` is ${shown(message['role'])}; the agent accepts only "user".`;
  return checkContent('message.content', message['content']);
}

function checkContent(path: string, content: unknown): string | undefined {
  if (typeof content === 'string') return undefined;
  if (!Array.isArray(content)) return `\`${path}\` is ${shown(content)}; pass text or a list of content blocks.`;
  for (const [index, block] of content.entries()) {
    const wrong = checkBlock(`${path}[${index}]`, block);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function checkBlock(path: string, block: unknown): string | undefined {
  const wrong = checkObject(path, block);
  if (wrong !== undefined) return wrong;
  const { type, text, content } = block as Fields; // `checkObject` has found that it is an object
  if (typeof type !== 'string') return `\`${path}.type\` is ${shown(type)}; each content block needs one.`;
  if (type === 'text' && typeof text !== 'string') return `\`${path}.text\` is ${shown(text)}; pass text.`;
  return type === 'tool_result' && content != null ? checkContent(`${path}.content`, content) : undefined;
}

function checkResponse(response: Fields): string | undefined {
  if (!isRecord(response)) return checkObject('response', response);
  const { subtype, response: payload } = response;
  if (subtype === 'error') return checkText('response.error', response['error']);
  if (subtype !== 'success') return `\`response.subtype\` is ${shown(subtype)}.`;
  return payload === undefined || isRecord(payload) ? undefined : checkObject('response.response', payload);
}

function checkText(path: string, value: unknown): string | undefined {
  return typeof value === 'string' ? undefined : `\`${path}\` is ${shown(value)}; it must be a string.`;
}

function checkObject(path: string, value: unknown): string | undefined {
  return isRecord(value) ? undefined : `\`${path}\` is ${shown(value)}; it must be an object.`;
}
