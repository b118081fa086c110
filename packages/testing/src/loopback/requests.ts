/** A block of a message as the client sent it; what this module does not read stays open. */
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
  /** Settles when nothing more will be written to this request. Never rejects. */
  readonly ended: Promise<Ending>;
}

/** A request for a message. `index` counts from 0 among the requests that the script answers. */
export interface ModelRequest extends Recorded {
  readonly index: number;
  readonly body: MessagesBody;
}

/** A request that the script did not answer. `body` is the text itself when it was not JSON. */
export interface OtherRequest extends Recorded {
  readonly body: unknown;
}

/** What came back from one tool. */
export interface ToolResult {
  readonly id: string;
  readonly text: string;
  readonly isError: boolean;
}

/** The words of the person: the last plain text of the last user message that has one, without the CLI's reminders. */
export function lastUserText(request: ModelRequest): string {
  for (const message of request.body.messages.toReversed()) {
    if (message.role !== 'user') continue;
    const said = blocksOf(message.content).findLast((block) => block.type === 'text' && !isReminder(block.text));
    if (said?.text !== undefined) return said.text;
  }
  return '';
}

/** The tool results this request brings, in order: those after the model's last words. Empty for a fresh prompt. */
export function toolResults(request: ModelRequest): readonly ToolResult[] {
  const { messages } = request.body;
  const answered = messages.findLastIndex((message) => message.role === 'assistant');
  return messages
    .slice(answered + 1)
    .flatMap((message) => blocksOf(message.content))
    .filter((block) => block.type === 'tool_result')
    .map((block) => ({
      id: block.tool_use_id ?? '',
      text: plainText(block.content ?? ''),
      isError: block.is_error === true,
    }));
}

/** The system prompt as one text, its blocks joined by a blank line. */
export function systemText(request: ModelRequest): string {
  return plainText(request.body.system ?? '', '\n\n');
}

function blocksOf(content: string | readonly SentBlock[]): readonly SentBlock[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function plainText(content: string | readonly SentBlock[], separator = ''): string {
  return blocksOf(content)
    .map((block) => block.text ?? '')
    .join(separator);
}

function isReminder(said: string | undefined): boolean {
  return said?.trimStart().startsWith('<system-reminder>') === true;
}
