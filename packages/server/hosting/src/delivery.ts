import type { Serial } from '@hexagent/async';
import { SdkError, type InterruptOutcome, type TurnOutcome } from '@hexagent/ports';
import type { AgentRun, SentEnd } from './agent-run.ts';
import type { HostedMessage, MessageEnd } from './hosted-message.ts';
import type { SessionLedger } from './session-ledger.ts';

export interface DeliveryParts {
  readonly ledger: SessionLedger;
  readonly serial: Serial;
  /** The agent that may be given messages now. */
  readonly run: () => AgentRun | undefined;
  /** The agent that runs, also while it is being ended. */
  readonly running: () => AgentRun | undefined;
  /** Whether the agent is being ended on purpose. */
  readonly isEnding: () => boolean;
  /** A message was given to the agent. */
  readonly given: () => void;
  /** A turn was finished. */
  readonly finished: () => void;
  /** The end of a message was stored. */
  readonly settled: () => void;
  /** Another agent has taken the place of the one that was written to. */
  readonly replaced: () => void;
  /** A store failed. */
  readonly failed: (error: unknown) => void;
}

/** Brings messages from the store to the agent, in order, and their ends from the agent to the store. */
export class Delivery {
  readonly #parts: DeliveryParts;
  #isWriting = false;

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
  }

  /**
   * The first message that the agent is to be given. One at a time: an agent merges what it has queued into one turn, and
   * of that its transcript names one message alone. What has a priority is meant for the agent's own queue.
   */
  next(): HostedMessage | undefined {
    const { ledger, run } = this.#parts;
    if (ledger.isHeld || run() === undefined) return undefined;
    const { messages } = ledger;
    const first = messages.find(({ isWritten }) => !isWritten);
    const isAlone = !messages.some(({ isWritten }) => isWritten);
    return isAlone || first?.input.priority !== undefined ? first : undefined;
  }

  /** Gives the agent what it was not given. */
  async write(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    const { ledger, serial, failed, replaced } = this.#parts;
    const run = this.#parts.run();
    try {
      for (let next = this.next(); next !== undefined && run === this.#parts.run(); next = this.next()) {
        const message = next;
        const isGiven = await serial.run(() => this.#give(message, run));
        if (!isGiven && ledger.has(message.uuid)) break;
      }
    } catch (error) {
      failed(error);
    } finally {
      this.#isWriting = false;
    }
    if (run !== this.#parts.run()) replaced();
  }

  /** Takes one message back, or stops the turn that runs it. */
  async cancel(uuid: string): Promise<InterruptOutcome> {
    const { ledger, serial, settled, running } = this.#parts;
    const message = ledger.get(uuid);
    if (message === undefined) return 'too_late';
    message.isWithdrawn = true;
    if (message.isWritten) return await (running()?.interrupt(uuid) ?? 'too_late');
    return await serial.run(async () => {
      if (message.isWritten || !ledger.has(uuid)) return 'too_late';
      await ledger.conclude(message, { state: 'cancelled' });
      settled();
      return 'cancelled';
    });
  }

  /** The agent has begun with a message. */
  async begun(uuid: string): Promise<void> {
    const { ledger, failed } = this.#parts;
    const message = ledger.get(uuid);
    if (message === undefined || message.state === 'started') return;
    message.mayHaveBegun = true;
    try {
      await ledger.mark(message, 'started');
    } catch (error) {
      failed(error);
    }
  }

  /** A turn that the agent began by itself may be that of a message which was cut off. */
  continued(outcome: TurnOutcome): void {
    if (outcome.kind === 'cancelled') return;
    for (const uuid of outcome.result?.user_message_uuids ?? []) {
      const message = this.#parts.ledger.get(uuid);
      if (message !== undefined) message.continued = outcome;
    }
  }

  /** Stores that a message was sent before it is sent: otherwise, after a crash in between, it could run twice. */
  async #give(message: HostedMessage, run: AgentRun | undefined): Promise<boolean> {
    const { ledger, given } = this.#parts;
    const isCurrent = (): boolean => run === this.#parts.run() && ledger.has(message.uuid);
    if (run === undefined || !isCurrent()) return false;
    if (ledger.record?.begun === 'no') await ledger.put({ begun: 'perhaps' });
    else await ledger.touch();
    if (message.state === 'queued') await ledger.mark(message, 'sent');
    if (!ledger.isDriven || !isCurrent()) return false;
    message.isWritten = true;
    given();
    void this.#send(run, message);
    return true;
  }

  async #send(run: AgentRun, message: HostedMessage): Promise<void> {
    const { ledger, serial, settled, failed } = this.#parts;
    const refuse = (reason: unknown): Promise<void> =>
      serial.run(async () => {
        // This agent has finished it, and the store lost that, as a standby does that is promoted without the last commits.
        const isRepeated = SdkError.is(reason) && reason.code === 'MESSAGE_REPEATED';
        const end: MessageEnd = isRepeated
          ? { state: 'completed', outcome: undefined }
          : { state: 'cancelled', reason };
        if (ledger.has(message.uuid)) await ledger.conclude(message, end);
      });
    try {
      await run.send({ ...message.input, uuid: message.uuid }).then((end) => this.#ended(run, message, end), refuse);
      settled();
    } catch (error) {
      failed(error);
    }
  }

  async #ended(run: AgentRun, message: HostedMessage, end: SentEnd): Promise<void> {
    // What was cut off stays, and is decided on when the agent has exited.
    if (end.kind === 'cut') return;
    const { outcome } = end;
    const why = outcome.kind === 'cancelled' ? outcome.why : undefined;
    // An agent that continues with a turn by itself calls its message repeated while that turn runs.
    if (why === 'repeated' && !(await run.hasFinished())) return;
    const { ledger, serial, isEnding, finished } = this.#parts;
    await serial.run(async () => {
      if (!ledger.has(message.uuid)) return;
      if (why === 'withdrawn') {
        // An agent that is ended takes what it had queued out of its queue; here those messages go to the next agent.
        if (message.isWithdrawn || !isEnding()) await ledger.conclude(message, { state: 'cancelled' });
        return;
      }
      finished();
      await this.#putBegun(run.agent.sessionId);
      const result = why === 'repeated' ? message.continued : outcome;
      await ledger.conclude(message, { state: 'completed', outcome: result });
    });
  }

  async #putBegun(sessionId = this.#parts.ledger.record?.sessionId): Promise<void> {
    const { ledger } = this.#parts;
    const { record } = ledger;
    if (sessionId === undefined || (record?.begun === 'yes' && record.sessionId === sessionId)) return;
    await ledger.put({ begun: 'yes', sessionId });
  }
}
