import { limit, record, type Checks } from '@hexagent/checks';

/** How much a caller may send and hold. */
export interface ChatLimits {
  /** How many bytes a request's body may have. Default 1 MB. A message with files may need more; one with all messages before it is better shortened by the page. */
  readonly bodyBytes: number;
  /** How many values the JSON of a body may have, lists and names of members included. Default 50,000. */
  readonly values: number;
  /** How deep lists and objects may be nested. Default 100. */
  readonly depth: number;
  /** How long the whole body may take to arrive. Default 30 seconds. */
  readonly bodyMs: number;
  /** How many messages a body may have. Default 5,000. */
  readonly messages: number;
  /** How many characters the text of one message may have. Default 200,000. */
  readonly textChars: number;
  /** How many texts and files, or answers, one message may have. Default 100. */
  readonly parts: number;
  /** How many files one message may have. Default 20. */
  readonly files: number;
  /** How many responses may stream at the same time, of all chats together. Default 1,000. */
  readonly streams: number;
  /**
   * Of these, how many one caller may have. 100 where `identify` names the callers; otherwise all callers are one, and there is no
   * limit of its own.
   */
  readonly streamsPerCaller: number;
  /** How many items a page of a list has at most. Default 200. */
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

// each limit has a default, so these are the names of all
const checks = Object.fromEntries(Object.keys(defaults).map((name) => [name, limit])) as Checks<ChatLimits>;
const limitsCheck = record<Partial<ChatLimits>>(checks);

/** @throws {TypeError} for an invalid limit, and for the name of an unknown one. */
export function toLimits(
  given: Partial<ChatLimits> = {},
  { namesCallers = false }: { readonly namesCallers?: boolean } = {},
): ChatLimits {
  return { ...defaults, ...(namesCallers && { streamsPerCaller }), ...limitsCheck(given, 'limits') };
}
