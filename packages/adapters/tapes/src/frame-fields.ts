import { isRecord } from '@hexagent/checks';

export type Fields = Readonly<Record<string, unknown>>;

/** The fields of a value, none for anything but an object. */
export const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : {});

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What a request asks for, in either direction; none for another frame. */
export const requestOf = (frame: unknown): Fields =>
  fieldsOf(frame)['type'] === 'control_request' ? fieldsOf(fieldsOf(frame)['request']) : {};

/** The response in a `control_response`; none for another frame. */
export const responseOf = (frame: unknown): Fields =>
  fieldsOf(frame)['type'] === 'control_response' ? fieldsOf(fieldsOf(frame)['response']) : {};
