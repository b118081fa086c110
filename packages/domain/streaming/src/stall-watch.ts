import { isRecord } from '@hexagent/checks';
import {
  SdkError,
  toolUsesOf,
  type AgentMessage,
  type Clock,
  type FeatureControl,
  type SessionFeature,
  type TranscriptMirrorFrame,
} from '@hexagent/ports';

/** How long the agent may take to show that it is alive, before its turn is stopped all the same. */
const answeringMs = 5000;

/**
 * Stops a turn in which the model stalls: between the first and the last event of an answer nothing came for `afterMs`. Before and behind an
 * answer the agent waits for the service, which it retries itself, and while a tool runs, for the tool or a person.
 */
export class StallWatch implements SessionFeature {
  readonly name = 'the watch for stalls';
  /** Without them there is no sign of life within a block. */
  readonly launch: SessionFeature['launch'] = { includePartialMessages: true };
  readonly #afterMs: number;
  readonly #clock: Clock;
  /** Tools of this answer that run: they start before the answer ends. */
  readonly #running = new Set<string>();
  #control: FeatureControl | undefined;
  #isAnswering = false;
  #lastEventAt = 0;
  #cancel: (() => void) | undefined;

  constructor({ afterMs, clock }: { readonly afterMs: number; readonly clock: Clock }) {
    this.#afterMs = afterMs;
    this.#clock = clock;
  }

  attach(control: FeatureControl): void {
    this.#control = control;
  }

  receive(message: AgentMessage | TranscriptMirrorFrame): void {
    if ('parent_tool_use_id' in message && message.parent_tool_use_id !== null) return;
    if (message.type === 'stream_event') {
      const type = isRecord(message.event) ? message.event.type : undefined;
      if (type === 'message_start') this.#isAnswering = true;
      if (type === 'message_stop') this.#isAnswering = false;
    } else if (message.type === 'assistant') for (const { id } of toolUsesOf(message)) this.#running.add(id);
    else if (message.type === 'user') this.#noteResults(message.message?.content);
    else if (message.type === 'result') this.#endAnswer();
    else if (message.type === 'system' && message.subtype === 'api_retry') this.#isAnswering = false;
    else return;
    this.#lastEventAt = this.#clock.now();
    this.#review(this.#afterMs);
  }

  async close(): Promise<void> {
    this.#endAnswer();
    this.#cancel?.();
  }

  get #isWaiting(): boolean {
    return this.#isAnswering && this.#running.size === 0;
  }

  #noteResults(content: unknown): void {
    if (!Array.isArray(content)) return;
    for (const block of content) if (isRecord(block)) this.#running.delete(String(block['tool_use_id']));
  }

  #endAnswer(): void {
    this.#isAnswering = false;
    this.#running.clear();
  }

  /** One timer for all events: it is set anew when it comes, not with each of them. */
  #review(ms: number): void {
    if (!this.#isWaiting || this.#cancel !== undefined) return;
    this.#cancel = this.#clock.after(ms, () => {
      this.#cancel = undefined;
      const left = this.#lastEventAt + this.#afterMs - this.#clock.now();
      if (left > 0) this.#review(left);
      else if (this.#isWaiting) void this.#stopIfNothingComes();
    });
  }

  /** Whether it did not answer in time. A refusal is an answer, too. */
  async #isSilent(): Promise<boolean> {
    try {
      await this.#control?.request('get_binary_version', {}, { timeoutMs: answeringMs });
      return false;
    } catch (error) {
      return SdkError.is(error) && error.code === 'REQUEST_TIMEOUT';
    }
  }

  /** What is on its way arrives before the answer to a request: while reading was paused, events may wait in the pipe. */
  async #stopIfNothingComes(): Promise<void> {
    const since = this.#lastEventAt;
    const isSilent = await this.#isSilent();
    // Reading stops where readers are far behind, and so much may lie before the answer.
    const mayLieUnread = isSilent && this.#control?.isBehind?.() === true;
    if (!this.#isWaiting || this.#lastEventAt !== since || mayLieUnread) return this.#review(this.#afterMs);
    const stalledMs = this.#clock.now() - since;
    const message = `Nothing of the model's answer came for ${stalledMs} ms.`;
    this.#endAnswer();
    this.#control?.failTurn?.({ kind: 'failed', cause: 'stall', message, stalledMs });
  }
}
