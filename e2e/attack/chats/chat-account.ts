/** What became of one message. */
export interface SentMessage {
  /** A page was informed that it is taken. */
  isAccepted: boolean;
  /** How the outbox has it in the end. */
  state?: string | undefined;
  /** How often an agent came to the end of its answer. */
  ran: number;
  /** How often the history has it, and its answer. */
  asked: number;
  answered: number;
}

/** One way of an agent's question through the pages, by its tool use. */
export interface AskedApproval {
  /** Answers of pages that were taken: the handler said 200. */
  readonly taken: ('allow' | 'deny')[];
  /** What it said to the others: the state that the approval was in already. */
  readonly refused: string[];
  /** What came to the agent. */
  readonly received: string[];
  /** Answers of which no page knows whether they were taken: the server died before it said so. */
  readonly unsure: string[];
}

/** A stream that a page read to its end. */
export interface ReadStream {
  readonly of: string;
  /** What `ai` could not read, and what broke the stream. */
  readonly errors: readonly string[];
  readonly hasEnded: boolean;
  /** `finish`, `abort`, `error`, or nothing. */
  readonly last: string | undefined;
  /** How often its message has the answer. */
  readonly answers: number;
  /** The agent had reached the end of the answer before: what is left of the turn may be nothing, and the history has it. */
  readonly isLate: boolean;
}

/** What the pages, the agents and the stores saw: what must hold is checked against it. */
export interface ChatAccount {
  readonly messages: Map<string, SentMessage>;
  readonly approvals: Map<string, AskedApproval>;
  readonly streams: ReadStream[];
  /** Chats of which a page was informed that it had stopped a turn. */
  readonly stopped: Set<string>;
  /** What did not happen in its time, and responses that should not be. */
  readonly odd: string[];
}

export function newChatAccount(): ChatAccount {
  return { messages: new Map(), approvals: new Map(), streams: [], stopped: new Set(), odd: [] };
}

export function messageOf({ messages }: ChatAccount, name: string): SentMessage {
  const known = messages.get(name) ?? { isAccepted: false, ran: 0, asked: 0, answered: 0 };
  messages.set(name, known);
  return known;
}

export function approvalOf({ approvals }: ChatAccount, toolUse: string): AskedApproval {
  const known = approvals.get(toolUse) ?? { taken: [], refused: [], received: [], unsure: [] };
  approvals.set(toolUse, known);
  return known;
}

/** What is wrong in an account; nothing, if all is well. */
export function chatViolations(account: ChatAccount): readonly string[] {
  return [
    ...account.odd,
    ...[...account.messages].flatMap(([name, message]) => ofMessage(name, message, account.stopped)),
    ...[...account.approvals].flatMap(([toolUse, approval]) => ofApproval(toolUse, approval)),
    ...account.streams.flatMap((stream) => ofStream(stream)),
  ];
}

/** The name of a message begins with that of its chat. */
export const chatOf = (name: string): string => name.slice(0, name.indexOf(' '));

function ofMessage(name: string, message: SentMessage, stopped: ReadonlySet<string>): readonly string[] {
  const { isAccepted, state, ran, asked, answered } = message;
  const counts = `ran ${ran} times, asked ${asked} times and answered ${answered} times in the history`;
  // Taken back: before its agent had begun with it, or after that had died in its turn, perhaps with the answer stored.
  if (state === 'cancelled' && stopped.has(chatOf(name)) && asked <= 1 && ran <= asked && answered === ran) return [];
  const isOnce = state === 'completed' && ran === 1 && asked === 1 && answered === 1;
  if (isAccepted && !isOnce) return [`message ${name}: ${state}, ${counts}`];
  if (ran > 1 || asked > 1 || answered > 1) return [`message ${name} was not accepted, but ${counts}`];
  return [];
}

function ofApproval(toolUse: string, { taken, refused, received, unsure }: AskedApproval): readonly string[] {
  const found: string[] = [];
  if (taken.length > 1) found.push(`approval of ${toolUse} was taken ${taken.length} times: ${taken.join(', ')}`);
  if (received.length > 1) found.push(`the agent got ${received.length} answers for ${toolUse}`);
  const [answer] = taken;
  const [got = answer] = received;
  // A later answer of a page changes nothing, also where the approval expired or was cancelled.
  if (answer !== undefined && got !== answer) found.push(`${toolUse}: the page said ${answer}, the agent got ${got}`);
  if (answer === undefined && received.includes('allow') && !unsure.includes('allow'))
    found.push(`${toolUse} was allowed by nobody`);
  if (answer === undefined && refused.includes('answered') && unsure.length === 0)
    found.push(`${toolUse} was answered by nobody`);
  return found;
}

function ofStream({ of, errors, hasEnded, last, answers, isLate }: ReadStream): readonly string[] {
  const found = errors.map((error) => `a stream of ${of} cannot be read: ${error}`);
  if (!hasEnded) found.push(`a stream of ${of} does not end`);
  else if (last === undefined) found.push(`a stream of ${of} ends without an end of its message`);
  if (answers > 1) found.push(`a stream of ${of} has the answer ${answers} times`);
  if (last === 'finish' && answers === 0 && !isLate) found.push(`a stream of ${of} is complete without the answer`);
  return found;
}
