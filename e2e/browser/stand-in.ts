import { createChatHandler } from '@hexagent/http-chat';
import type { ChatAnswer, ChatApprovals, ChatInput, ChatSessions } from '@hexagent/ports';
import { HandChats } from '@hexagent/testing';
import type { UIMessageChunk } from 'ai';
import type { Handle } from '../../examples/chat/serve.ts';
import { asks, type AskedChunk } from './chunks.ts';

/** A turn that a test scripts: what it writes, and what it waits for. */
export interface ScriptedTurn {
  readonly text: string;
  write(...chunks: readonly UIMessageChunk[]): void;
  /** Asks about a call of a tool, and resolves with the answer of a person. */
  ask(approvalId: string, toolCallId: string, descriptor: AskedChunk): Promise<ChatAnswer>;
  /** Aborts when the person stops the turn. */
  readonly signal: AbortSignal;
}

export type TurnScript = (turn: ScriptedTurn) => Promise<void>;

/** Chats that a test scripts, behind the real handler: states of the page that no model can be made to reach at will. */
export class StandIn {
  readonly answers: ChatAnswer[] = [];
  readonly chats: HandChats = new HandChats();
  readonly handle: Handle;
  readonly #script: TurnScript;
  /** Of the turns that run, by their chats: what stops them. */
  readonly #stops = new Map<string, () => void>();
  #turns = 0;

  constructor(script: TurnScript) {
    this.#script = script;
    const onError = (error: unknown): void => console.error(error);
    const behind = { sessions: this.#sessions(), approvals: this.#approvals(), history: this.chats };
    this.handle = createChatHandler({ ...behind, onError }).handle;
  }

  #sessions(): ChatSessions {
    const { chats } = this;
    return {
      start: async (chatId, ...given) => {
        const running = chats.turnOf(chatId);
        const started = await chats.start(chatId, ...given);
        // A message that joins a turn begins none.
        if (started.kind === 'accepted' && running === undefined) this.#play(chatId);
        return started;
      },
      restart: async (chatId, caller) => {
        const isRestarted = await chats.restart(chatId, caller);
        if (isRestarted) this.#play(chatId);
        return isRestarted;
      },
      interrupt: async (chatId) => {
        const stop = this.#stops.get(chatId);
        stop?.();
        return stop !== undefined;
      },
      stream: (...given) => chats.stream(...given),
      discard: (...given) => chats.discard(...given),
      list: (...given) => chats.list(...given),
      rename: (...given) => chats.rename(...given),
      delete: (...given) => chats.delete(...given),
    };
  }

  #approvals(): ChatApprovals {
    return {
      settle: async (chatId, approvalId, answer, caller) => {
        const settled = await this.chats.settle(chatId, approvalId, answer, caller);
        if (settled.kind === 'settled') this.answers.push(answer);
        return settled;
      },
    };
  }

  /** Plays the turn that has begun, for the last message. */
  #play(chatId: string): void {
    const turn = this.chats.turnOf(chatId);
    const last = this.chats.receivedBy(chatId).at(-1);
    if (turn === undefined || last === undefined) return;
    this.#turns += 1;
    const stopping = new AbortController();
    let written = '';
    const write = (...chunks: readonly UIMessageChunk[]): void => {
      for (const chunk of chunks) {
        turn.write(`data: ${JSON.stringify(chunk)}\n\n`);
        // Of what was written, the texts: the tests read no more of it in the history.
        if (chunk.type === 'text-delta') written += chunk.delta;
      }
    };
    const end = (): void => {
      if (this.#stops.get(chatId) === stop) this.#stops.delete(chatId);
      turn.write('data: [DONE]\n\n');
      turn.end(written);
    };
    const stop = (): void => {
      stopping.abort();
      write({ type: 'abort' });
      end();
    };
    const ask: ScriptedTurn['ask'] = (id, toolCallId, descriptor) => {
      const { kind, suggestions } = descriptor;
      const { answer } = this.chats.ask(chatId, { id, kind, suggestions: suggestions.length });
      write(asks(id, toolCallId, descriptor));
      return answer;
    };
    this.#stops.set(chatId, stop);
    // The id under which the history has the answer.
    write({ type: 'start', messageId: `answer-${this.#turns}` });
    const { signal } = stopping;
    void this.#script({ text: textOf(last), write, ask, signal }).then(() => signal.aborted || end());
  }
}

const textOf = ({ content }: ChatInput): string =>
  typeof content === 'string'
    ? content
    : content.map((block) => ('text' in block && typeof block.text === 'string' ? block.text : '')).join('');
