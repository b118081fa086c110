import { parseTape, type Tape } from '@hexagent/tapes';

const header = { tape: 1, started: '2026-01-01T00:00:00.000Z' };

/** A tape of these entries, of one agent unless they name another. */
export function tapeOf(...entries: readonly object[]): Tape {
  const lines = [header, ...entries.map((entry, t) => ({ t, agent: 1, ...entry }))];
  return parseTape(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

export const uuid = (digit: number): string => `${digit}0000000-0000-4000-8000-000000000000`;
export const user = (content: string, id = uuid(1)): object => ({
  type: 'user',
  message: { role: 'user', content },
  uuid: id,
});
export const assistant = (content: string): object => ({ type: 'assistant', message: { content } });
export const result = (id = uuid(1)): object => ({ type: 'result', subtype: 'success', user_message_uuids: [id] });
export const asks = (id: string): object => ({
  type: 'control_request',
  request_id: id,
  request: { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' } },
});
export const answers = (id: string, behavior: string): object => ({
  type: 'control_response',
  response: { subtype: 'success', request_id: id, response: { behavior } },
});
export const request = (subtype: string, id: string): object => ({
  type: 'control_request',
  request_id: id,
  request: { subtype },
});
export const response = (id: string): object => ({
  type: 'control_response',
  response: { subtype: 'success', request_id: id },
});

export const launch: { readonly launch: object } = { launch: { args: [], env: {}, initialize: {} } };
export const ending: readonly object[] = [
  { end: true },
  { exit: { code: 0, signal: null, stderr: '', closed: false } },
];
