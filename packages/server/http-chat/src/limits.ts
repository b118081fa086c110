import { shown } from '@hexagent/checks';

/** How much a caller may send and hold. */
export interface ChatLimits {
  /** Of a request's body. 1 MB. A message with files may need more; one with all messages before it is better shortened by the page. */
  readonly bodyBytes: number;
  /** That the JSON of a body has, lists and names of members included. 50,000. */
  readonly values: number;
  /** Of lists and objects within each other. 100. */
  readonly depth: number;
  /** Until the whole body has arrived. 30 seconds. */
  readonly bodyMs: number;
  /** In the body. 5,000. */
  readonly messages: number;
  /** Of the text of one message. 200,000. */
  readonly textChars: number;
  /** Texts and files of one message, or answers in one. 100. */
  readonly parts: number;
  /** In one message. 20. */
  readonly files: number;
  /** Responses that stream at the same time, of all chats together. 1,000. */
  readonly streams: number;
  /**
   * Of these, how many one caller may have. 100 where `identify` names the callers; otherwise all callers are one, and there is no
   * limit of its own.
   */
  readonly streamsPerCaller: number;
  /** That a page of a list has at most. 200. */
  readonly pageSize: number;
}

const defaults: ChatLimits = {
  bodyBytes: 1024 * 1024,
  values: 50_000,
  depth: 100,
  bodyMs: 30_000,
  messages: 5000,
  textChars: 200_000,
  parts: 100,
  files: 20,
  streams: 1000,
  streamsPerCaller: Infinity,
  pageSize: 200,
};

const streamsPerCaller = 100;

/** @throws {TypeError} for an invalid limit, and for the name of an unknown one. */
export function toLimits(
  given: Partial<ChatLimits> = {},
  { namesCallers = false }: { readonly namesCallers?: boolean } = {},
): ChatLimits {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(defaults, name)) throw new TypeError(`\`limits\` has no \`${name}\`.`);
    if (value !== undefined && !(typeof value === 'number' && value >= 1))
      throw new TypeError(`\`limits.${name}\` must be a number, 1 or more, not ${shown(value)}.`);
  }
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...defaults, ...(namesCallers && { streamsPerCaller }), ...Object.fromEntries(set) };
}
