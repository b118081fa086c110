/** One line of the CLI's stdout, parsed and unchanged. */
export interface RawFrame {
  readonly type: string;
  readonly subtype?: string;
  readonly request_id?: string;
  readonly request?: { readonly subtype: string; readonly [key: string]: unknown };
  readonly response?: { readonly subtype: string; readonly request_id: string; readonly [key: string]: unknown };
  readonly [key: string]: unknown;
}

/** `result`, `system/init`, `control_request/can_use_tool`, … or a function. */
export type FrameMatch = string | ((frame: RawFrame) => boolean);

/** The flags with which the CLI reads and writes frames. */
export const wireArgs: readonly string[] = [
  '--output-format',
  'stream-json',
  '--verbose',
  '--input-format',
  'stream-json',
];

/** A message of the user. `extra` are further fields of the frame, such as `uuid`. */
export function userFrame(content: string | readonly object[], extra: object = {}): object {
  return { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: '', ...extra };
}

/** A request of ours, such as `controlRequest('1', 'interrupt')`. */
export function controlRequest(requestId: string, subtype: string, payload: object = {}): object {
  return { type: 'control_request', request_id: requestId, request: { subtype, ...payload } };
}

/** The success response to a request of the CLI. */
export function controlAnswer(request: RawFrame, response?: object): object {
  return {
    type: 'control_response',
    response: { subtype: 'success', request_id: request.request_id, ...(response ? { response } : {}) },
  };
}

/** Whether a frame is the answer to our request of that id. */
export function answers(requestId: string): (frame: RawFrame) => boolean {
  return (frame) => frame.type === 'control_response' && frame.response?.request_id === requestId;
}

export function matches(frame: RawFrame, match: FrameMatch): boolean {
  if (typeof match === 'function') return match(frame);
  const [type, subtype] = match.split('/');
  return frame.type === type && (subtype === undefined || (frame.request?.subtype ?? frame.subtype) === subtype);
}
