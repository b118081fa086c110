import type { UIMessage, UIMessageChunk } from 'ai';

/** A turn that a test scripts: what it writes, and what it waits for. */
export interface ScriptedTurn {
  readonly chatId: string;
  readonly text: string;
  write(...chunks: readonly UIMessageChunk[]): void;
  /** Resolves with the answer of a person. */
  answerTo(approvalId: string): Promise<Answer>;
  /** Aborts when the person stops the turn. */
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly approved: boolean;
  readonly reason?: string;
  readonly suggestions?: readonly number[];
  readonly answers?: Readonly<Record<string, readonly string[]>>;
  readonly plan?: string;
  readonly permissionMode?: string;
}

export type TurnScript = (turn: ScriptedTurn) => Promise<void>;

interface Running {
  readonly message: UIMessage;
  readonly sent: UIMessageChunk[];
  readonly readers: Set<(chunk: UIMessageChunk | undefined) => void>;
  readonly approvals: Map<string, { answer?: Answer; resolve?: (answer: Answer) => void }>;
  readonly stop: AbortController;
}

/** Answers the routes of a chat from a script, in memory: what the page does is tested without an agent. */
export class StandIn {
  readonly answers: Answer[] = [];
  readonly history = new Map<string, UIMessage[]>();
  readonly #running = new Map<string, Running>();
  readonly #script: TurnScript;
  #turns = 0;

  constructor(script: TurnScript) {
    this.#script = script;
  }

  readonly handle = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    const [, , kind, id = '', what = '', approval = ''] = pathname.split('/');
    const route = `${request.method} ${kind}/${what}`;
    if (route === 'POST chat/' && id === '')
      return this.#start((await request.json()) as { id: string; messages: UIMessage[] });
    if (route === 'GET chat/stream') return this.#resume(id);
    if (route === 'POST chat/approvals') return this.#settle(id, approval, (await request.json()) as Answer);
    if (route === 'POST chat/interrupt') return this.#interrupt(id);
    if (route === 'GET sessions/' && id === '') return Response.json({ sessions: this.#list() });
    if (route === 'GET sessions/messages') return this.#messages(id, searchParams);
    if (route === 'DELETE sessions/') return Response.json({ deleted: this.history.delete(id) });
    return refusal(404, 'NOT_FOUND', 'There is nothing at this address.');
  };

  #start({ id, messages }: { id: string; messages: UIMessage[] }): Response {
    const message = messages.at(-1);
    if (this.#running.has(id)) return refusal(409, 'CHAT_BUSY', 'Another turn runs in this chat.');
    if (message === undefined) return refusal(400, 'BAD_REQUEST', 'There is no message.');
    this.#turns += 1;
    const answer: UIMessage = { id: `turn-${this.#turns}`, role: 'assistant', parts: [] };
    const past = this.history.get(id) ?? [];
    this.history.set(id, [...past, message]);
    const running: Running = {
      message: answer,
      sent: [],
      readers: new Set(),
      approvals: new Map(),
      stop: new AbortController(),
    };
    this.#running.set(id, running);
    const text = message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    void this.#play(id, text, running);
    return this.#stream(running);
  }

  async #play(chatId: string, text: string, running: Running): Promise<void> {
    const write = (...chunks: readonly UIMessageChunk[]): void => {
      for (const chunk of chunks) {
        running.sent.push(chunk);
        for (const reader of running.readers) reader(chunk);
      }
    };
    const answerTo = (approvalId: string): Promise<Answer> =>
      new Promise((resolve) => running.approvals.set(approvalId, { resolve }));
    write({ type: 'start', messageId: running.message.id });
    const stopped = new Promise<void>((resolve) => running.stop.signal.addEventListener('abort', () => resolve()));
    await Promise.race([this.#script({ chatId, text, write, answerTo, signal: running.stop.signal }), stopped]);
    if (running.stop.signal.aborted) write({ type: 'abort' });
    for (const reader of running.readers) reader(undefined);
    this.#running.delete(chatId);
    this.history.get(chatId)?.push({ ...running.message, parts: partsOf(running.sent) });
  }

  #resume(id: string): Response {
    const running = this.#running.get(id);
    return running === undefined ? new Response(null, { status: 204 }) : this.#stream(running);
  }

  #stream({ sent, readers }: Running): Response {
    let reader: ((chunk: UIMessageChunk | undefined) => void) | undefined;
    const body = new ReadableStream<string>({
      start(controller) {
        reader = (chunk) => {
          controller.enqueue(`data: ${chunk === undefined ? '[DONE]' : JSON.stringify(chunk)}\n\n`);
          if (chunk === undefined) controller.close();
        };
        for (const chunk of sent) reader(chunk);
        readers.add(reader);
      },
      cancel() {
        if (reader) readers.delete(reader);
      },
    });
    const headers = { 'content-type': 'text/event-stream', 'x-vercel-ai-ui-message-stream': 'v1' };
    return new Response(body.pipeThrough(new TextEncoderStream()), { headers });
  }

  #settle(id: string, approvalId: string, answer: Answer): Response {
    const approval = this.#running.get(id)?.approvals.get(approvalId);
    if (approval === undefined) return refusal(404, 'APPROVAL_NOT_FOUND', 'There is no such approval in this chat.');
    if (approval.answer) return refusal(409, 'ALREADY_SETTLED', 'Somebody was first.');
    approval.answer = answer;
    this.answers.push(answer);
    approval.resolve?.(answer);
    return Response.json({ settled: true });
  }

  #interrupt(id: string): Response {
    const running = this.#running.get(id);
    running?.stop.abort();
    return Response.json({ interrupted: running !== undefined });
  }

  #list(): readonly object[] {
    return [...this.history].map(([id, messages]) => {
      const [part] = messages[0]?.parts ?? [];
      const state = this.#running.has(id) ? 'running' : 'idle';
      return { id, title: part?.type === 'text' ? part.text : '', updatedAt: Date.now(), state };
    });
  }

  #messages(id: string, search: URLSearchParams): Response {
    const all = this.history.get(id);
    if (all === undefined) return refusal(404, 'CHAT_NOT_FOUND', 'There is no such chat.');
    const before = search.get('before');
    const end = before === null ? all.length : all.findIndex((message) => message.id === before);
    const start = Math.max(0, end - Number(search.get('limit') ?? 50));
    return Response.json({ messages: all.slice(start, end), hasEarlier: start > 0, isRunning: this.#running.has(id) });
  }
}

/** Texts are enough of a history for what the tests read in it. */
function partsOf(chunks: readonly UIMessageChunk[]): UIMessage['parts'] {
  const text = chunks.map((chunk) => (chunk.type === 'text-delta' ? chunk.delta : '')).join('');
  return [{ type: 'text', text }];
}

function refusal(status: number, code: string, message: string): Response {
  return Response.json({ error: { code, message, remedy: 'What to do about it.' } }, { status });
}
