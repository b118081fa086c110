/** The kinds of requests that the CLI makes beside the conversation; `side-requests.ts` lists when. */
export type SideKind = 'title' | 'suggestion' | 'progress' | 'model-check';

/** A block of a message as the client sent it. */
export interface SentBlock {
  readonly type: string;
  readonly text?: string;
  readonly tool_use_id?: string;
  readonly content?: string | readonly SentBlock[];
  readonly is_error?: boolean;
  readonly [key: string]: unknown;
}

export interface SentMessage {
  readonly role: string;
  readonly content: string | readonly SentBlock[];
}

/** The body of a Messages API request. */
export interface MessagesBody {
  readonly model: string;
  readonly messages: readonly SentMessage[];
  readonly system?: string | readonly SentBlock[];
  readonly tools?: readonly { readonly name: string; readonly [key: string]: unknown }[];
  readonly max_tokens?: number;
  readonly stream?: boolean;
  readonly [key: string]: unknown;
}

/** How an answer ended: all of it sent, or broken off by the client, by the script, or by closing the loopback. */
export type Ending = 'sent' | 'client-left' | 'cut' | 'closed';

/** One recorded HTTP request, of whatever kind. */
export interface Recorded {
  readonly method: string;
  /** Path with its query, as sent. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Milliseconds on the clock of `performance.now()`. */
  readonly at: number;
  /** Settles when nothing more will be written in response. Never rejects. */
  readonly ended: Promise<Ending>;
}

/** A request for a message. */
export interface Asked extends Recorded {
  readonly body: MessagesBody;
}

/** A request that the script answers; `index` counts them from 0. */
export interface ModelRequest extends Asked {
  readonly index: number;
}

/** A request that the script did not answer. */
export interface OtherRequest extends Recorded {
  /** The text itself when it was not JSON. */
  readonly body: unknown;
  /** Set when it is a request for a message. */
  readonly side?: SideKind;
}

/** The result of one tool. */
export interface ToolResult {
  readonly id: string;
  readonly text: string;
  readonly isError: boolean;
}

/**
 * The prompt: the last plain text of the last user message that has one, without what the CLI adds. It stays the same in the
 * requests with tool results that follow, in turns that a task notification starts, and when a turn that was cut off continues:
 * see `toolResults`, `notification`.
 */
export function lastUserText(request: Asked): string {
  return lastText(request.body);
}

/** The new tool results of this request, in order: those after the model's last message. Empty for a new prompt. */
export function toolResults(request: Asked): readonly ToolResult[] {
  return newBlocks(request.body)
    .filter((block) => block.type === 'tool_result')
    .map((block) => ({
      id: block.tool_use_id ?? '',
      text: plainText(block.content ?? ''),
      isError: block.is_error === true,
    }));
}

/** The notification to the model that a background task has ended, if that caused this request. */
export function notification(request: Asked): string | undefined {
  return newBlocks(request.body).find((block) => block.text?.includes('<task-notification>') === true)?.text;
}

/** The system prompt as one text, its blocks joined by a blank line. */
export function systemText(request: Asked): string {
  return systemTextOf(request.body);
}

export function lastText({ messages }: MessagesBody): string {
  for (const message of messages.toReversed()) {
    if (message.role !== 'user') continue;
    const last = blocksOf(message.content).findLast(({ type, text }) => type === 'text' && !isOfCli(text));
    if (last?.text !== undefined) return last.text;
  }
  return '';
}

export function systemTextOf(body: MessagesBody): string {
  return plainText(body.system ?? '', '\n\n');
}

/** The blocks after the model's last message. */
function newBlocks({ messages }: MessagesBody): readonly SentBlock[] {
  const answered = messages.findLastIndex((message) => message.role === 'assistant');
  return messages.slice(answered + 1).flatMap((message) => blocksOf(message.content));
}

function blocksOf(content: string | readonly SentBlock[]): readonly SentBlock[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function plainText(content: string | readonly SentBlock[], separator = ''): string {
  return blocksOf(content)
    .map((block) => block.text ?? '')
    .join(separator);
}

/** Whether the CLI wrote it: a reminder, or the request to continue with a turn that was cut off. */
function isOfCli(text: string | undefined): boolean {
  const start = text?.trimStart() ?? '';
  return start.startsWith('<system-reminder>') || start.startsWith('Continue from where you left off.');
}
