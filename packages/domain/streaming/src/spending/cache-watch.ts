import { isRecord } from '@hexagent/checks';
import {
  cacheRemedies,
  type AgentMessage,
  type AssistantMessage,
  type CacheMissCause,
  type Clock,
  type FeatureControl,
  type SessionFeature,
} from '@hexagent/ports';
import { sumOf, tokensOfUsage, type Tokens } from './amounts.ts';

/** A request of the conversation itself, as its answer reports it. */
interface Request {
  readonly id: string;
  readonly model: string;
  readonly tokens: Tokens;
  readonly at: number;
  /** How long the service keeps what the request has written. */
  readonly lifeMs: number;
}

const minuteMs = 60_000;
/** What is read of the cached prefix where it is kept: all but what the agent moves at its end. */
const keptShare = 0.5;

/**
 * Notices that the service read little of the prefix that the request before had left in its cache, and finds the likely cause: all of it is
 * paid again, at a higher price. Nothing is noticed of a service that reports no cache.
 */
export class CacheWatch implements SessionFeature {
  readonly name = 'the watch for the prompt cache';
  readonly #clock: Clock;
  readonly #isResumed: boolean;
  #control: FeatureControl | undefined;
  #last: Request | undefined;
  #tools: string | undefined;
  /** What has happened since the last request. */
  #changed: CacheMissCause | undefined;

  constructor({ clock, isResumed }: { readonly clock: Clock; readonly isResumed: boolean }) {
    this.#clock = clock;
    this.#isResumed = isResumed;
  }

  attach(control: FeatureControl): void {
    this.#control = control;
  }

  note(message: AgentMessage): void {
    if (message.type === 'assistant') this.#noteAnswer(message);
    else if (message.type === 'conversation_reset') this.#changed = 'cleared';
    else if (message.type !== 'system') return;
    else if (message.subtype === 'compact_boundary') this.#changed = 'compaction';
    else if (message.subtype === 'model_fallback') this.#changed = 'fallback';
    else if (message.subtype === 'init') this.#noteTools(message.tools);
  }

  #noteTools(listed: unknown): void {
    const tools = JSON.stringify(listed);
    if (this.#tools !== undefined && this.#tools !== tools) this.#changed ??= 'tools';
    this.#tools = tools;
  }

  #noteAnswer({ message, parent_tool_use_id: call, is_api_error_message: isError }: AssistantMessage): void {
    if (call !== null || isError === true || !isRecord(message) || message.id === this.#last?.id) return;
    const tokens = tokensOfUsage(message.usage);
    if (sumOf(tokens) === 0) return; // the agent wrote it itself, as the text of a local command
    const before = this.#last;
    const isKeptLong = Number(message.usage.cache_creation?.ephemeral_1h_input_tokens) > 0;
    const now: Request = {
      id: message.id,
      model: message.model,
      tokens,
      at: this.#clock.now(),
      lifeMs: isKeptLong ? 60 * minuteMs : 5 * minuteMs,
    };
    this.#last = now;
    const cause = this.#changed ?? causeBetween(before, now);
    this.#changed = undefined;
    const expected = before === undefined ? this.#expectedOfResumed(now) : cachedOf(before);
    const { cacheReadTokens: read } = tokens;
    if (read < expected * keptShare) this.#report(cause, expected - read);
  }

  /** The whole request, if the service caches it at all: the session was cached by its last request. */
  #expectedOfResumed({ tokens }: Request): number {
    return this.#isResumed && tokens.cacheWriteTokens > 0 ? sumOf(tokens) - tokens.outputTokens : 0;
  }

  #report(cause: CacheMissCause, tokens: number): void {
    this.#control?.append?.({ kind: 'cache_missed', cause, tokens });
    const remedy = cacheRemedies[cause];
    if (remedy === undefined) return;
    const message = `The service did not find ${tokens} tokens of the conversation in its cache (${cause}). ${remedy}`;
    this.#control?.warn({ code: 'HEXAGENT_CACHE_MISSED', source: `prompt cache, ${cause}`, message });
  }
}

const cachedOf = ({ tokens }: Request): number => tokens.cacheReadTokens + tokens.cacheWriteTokens;

function causeBetween(before: Request | undefined, now: Request): CacheMissCause {
  if (before === undefined) return 'resume';
  if (before.model !== now.model) return 'model';
  return now.at - before.at > before.lifeMs ? 'idle' : 'unknown';
}
