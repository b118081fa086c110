import type { PermissionAsk } from '@hexagent/ports';
import type { Decision, Turn } from '@hexagent/sdk';
import {
  answerIdOf,
  createUiTranslator,
  type SubagentView,
  type UiChunk,
  type UiTranslator,
} from '@hexagent/ui-stream';

/** A turn as a page sees it. */
export interface LiveTurn {
  readonly turn: Turn;
  /** What was emitted so far. */
  readonly chunks: UiChunk[];
  /** Resolves when the last chunk was emitted. */
  readonly ended: Promise<void>;
}

/** Translates turns while they run, with what is asked and decided meanwhile. */
export class LiveTurns {
  readonly turns: LiveTurn[] = [];
  readonly #subagents: SubagentView;
  readonly #steering = new Map<string, string>();
  #running: { readonly translator: UiTranslator; readonly chunks: UiChunk[] } | undefined;

  constructor(subagents: SubagentView) {
    this.#subagents = subagents;
  }

  follow(turn: Turn): LiveTurn {
    const translator = createUiTranslator({
      messageId: answerIdOf(turn.id),
      subagents: this.#subagents,
      steering: (uuid) => this.#steering.get(uuid),
    });
    const chunks: UiChunk[] = [];
    const live = { turn, chunks, ended: this.#read(turn, translator, chunks) };
    this.turns.push(live);
    return live;
  }

  /** A message that joins the turn that runs: it has no answer of its own. */
  steered(turn: Turn, text: string): Turn {
    this.#steering.set(turn.id, text);
    return turn;
  }

  /** Reports the question at once, before the messages in front of it are read, and what became of it. */
  async asked(pending: PermissionAsk, decide: () => Promise<Decision>): Promise<Decision> {
    const { id, kind, tool, input, suggestions, request, signal } = pending;
    const running = this.#running;
    const { tool_use_id: toolUseId, agent_id: agentId } = request;
    const asked = {
      id,
      tool,
      input,
      suggestions,
      toolUseId,
      agentId,
      kind: kind === 'call' ? 'permission' : kind,
    } as const;
    running?.chunks.push(...running.translator.approvalRequested(asked));
    const settle = (approved: boolean, cancelled: boolean): void =>
      void running?.chunks.push(...running.translator.approvalSettled({ id, approved, cancelled }));
    const cancel = (): void => settle(false, true);
    signal.addEventListener('abort', cancel, { once: true });
    const decision = await decide();
    signal.removeEventListener('abort', cancel);
    if (!signal.aborted) settle(decision.behavior === 'allow', false);
    return decision;
  }

  async #read(turn: Turn, translator: UiTranslator, chunks: UiChunk[]): Promise<void> {
    const running = { translator, chunks };
    for await (const message of turn) {
      this.#running = running;
      chunks.push(...translator.push(message));
    }
    chunks.push(...translator.end());
  }
}
