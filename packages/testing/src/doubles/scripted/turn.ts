import type { ExitFields, ReceivedFrame } from '../wire.ts';
import { texts } from './facts.ts';
import { Interrupted, Interruption } from './interruption.ts';
import { answersOf, blockOf, callOf, isText, type ContentStep } from './answers.ts';
import { ModelAnswer, type ModelBlock } from './model-answer.ts';
import { toSteps } from './reply.ts';
import type { BackgroundStep, Step, TurnScript } from './script.ts';
import type { BackgroundTasks } from './tasks.ts';
import { ToolCalls, type ToolOutcome, type ToolParts } from './tool-calls.ts';

export interface TurnParts extends ToolParts {
  readonly tasks: BackgroundTasks;
  /** Ends the agent. */
  readonly exit: (fields: ExitFields) => void;
  /** The next script, when the model is asked again after the end of this turn's script. */
  readonly continuation: () => TurnScript;
}

/** The cause of a turn: a message, or the end of a task. */
export interface TurnCause {
  readonly message?: ReceivedFrame | undefined;
  /** Fields that the result carries. */
  readonly origin?: object | undefined;
}

/** Plays one turn, from its init to its result. Recordings 01, 02, 21, 22, 30, h-interrupt-before-init. */
export class Turn {
  readonly #parts: TurnParts;
  readonly #cause: TurnCause;
  readonly #interruption = new Interruption();
  readonly #tools: ToolCalls;
  #answer: ModelAnswer | undefined;
  /** The fields with the uuid of the message: on init and status, and on the first answer and the result. */
  readonly #list: object;
  readonly #marks: object;
  #lastText = '';
  #userFrames = 1;
  #isError = false;
  /** Why the model's last complete answer stopped. */
  #stopReason: string | null = null;
  /** The model has answered in this turn. */
  #answered = false;

  constructor(parts: TurnParts, cause: TurnCause) {
    this.#parts = parts;
    this.#cause = cause;
    this.#tools = new ToolCalls(parts, this.#interruption);
    const uuid = cause.message?.uuid;
    this.#list = uuid === undefined ? {} : { user_message_uuids: [uuid] };
    this.#marks = uuid === undefined ? {} : { user_message_uuid: uuid, ...this.#list };
  }

  get interrupted(): boolean {
    return this.#interruption.how !== undefined;
  }

  /** Whether its result is an error, which decides the exit code. */
  get isError(): boolean {
    return this.#isError;
  }

  interrupt(how: 'interrupt' | 'now'): void {
    this.#interruption.interrupt(how);
  }

  async play(script: TurnScript): Promise<void> {
    try {
      if (await this.#promptRefused()) return;
      this.#parts.session.init(this.#list);
      this.#interruption.check();
      await this.#playAll(toSteps(script));
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      await this.#tools.settled();
      this.#breakOff();
    }
  }

  /** Recording 11-hook-userpromptsubmit-block. */
  async #promptRefused(): Promise<boolean> {
    const { message } = this.#cause;
    if (message === undefined) return false;
    const prompt = textOf(message);
    const { outputs } = await this.#parts.hooks.run('UserPromptSubmit', { prompt });
    const refusal = outputs.find(({ decision }) => decision === 'block');
    if (refusal === undefined) return false;
    const text = `UserPromptSubmit operation blocked by hook:\n${String(refusal['reason'])}\n\nOriginal prompt: ${prompt}`;
    this.#parts.session.init(this.#list);
    this.#parts.session.system('informational', { content: text, level: 'warning', prevent_continuation: true });
    this.#finish({
      num_turns: 0,
      stop_reason: null,
      result: text,
      terminal_reason: undefined,
      api_error_status: undefined,
    });
    return true;
  }

  async #playAll(steps: readonly Step[]): Promise<void> {
    for (const part of answersOf(steps)) {
      if (Array.isArray(part)) await this.#playAnswer(part);
      else if (part.step === 'hold') await this.#interruption.stoppable(part.gate.pass());
      else if (part.step === 'frames') this.#parts.session.raw(...part.frames);
      else if (part.step === 'ask') await this.#interruption.working(this.#parts.requests.ask(part.request));
      else if (part.step === 'api_error') return this.#refused(part.status, part.message);
      else if (part.step === 'end') return this.#finish(part.result);
      else return this.#parts.exit(part.fields);
    }
    await this.#stop();
  }

  /** Recording 11-hook-stop-block-once. */
  async #stop(): Promise<void> {
    const fields = { stop_hook_active: this.#userFrames > 1, last_assistant_message: this.#lastText };
    const { outputs } = await this.#interruption.stoppable(this.#parts.hooks.run('Stop', fields));
    const blocking = outputs.find(({ decision }) => decision === 'block');
    if (blocking === undefined) return this.#finish({});
    this.#userFrames += 1;
    const text = `Stop hook feedback:\n${String(blocking['reason'])}`;
    this.#parts.session.user([{ type: 'text', text }], { isSynthetic: true });
    const key = 'stop-hook-error';
    this.#parts.session.system('notification', { key, text: texts.stopHookReported, priority: 'immediate' });
    await this.#playAll(toSteps(this.#parts.continuation()));
  }

  async #playAnswer(steps: readonly ContentStep[]): Promise<void> {
    this.#parts.tasks.reportsRead();
    this.#replay();
    const acts = steps.map((step) => ({ step, id: this.#idOf(step) }));
    const blocks = acts.map(({ step, id }) => ({ ...blockOf(step, id), ...this.#actOf(step, id) }));
    const stopReason = steps.every(isText) ? 'end_turn' : 'tool_use';
    this.#answer = new ModelAnswer(this.#parts.session, this.#interruption, {
      blocks,
      stopReason,
      marks: this.#answered ? {} : this.#marks,
      list: this.#list,
    });
    this.#lastText = await this.#answer.write();
    this.#answer = undefined;
    this.#answered = true;
    this.#stopReason = stopReason;
    await this.#tools.finished();
    // A message with priority `now` has let the tools finish, and ends the turn here.
    this.#interruption.check();
  }

  /** Recording 22-replay-user-messages. */
  #replay(): void {
    const { launch } = this.#parts.session;
    const { message } = this.#cause;
    if (this.#answered || message === undefined || !launch.args.includes('--replay-user-messages')) return;
    this.#parts.session.write({
      type: 'user',
      message: message.message,
      parent_tool_use_id: null,
      isReplay: true,
      uuid: message.uuid,
    });
  }

  #actOf(step: ContentStep, id: string): Pick<ModelBlock, 'act'> {
    if (step.step === 'tool') return { act: () => this.#tools.begin({ step, id }) };
    if (step.step === 'background')
      return { act: () => this.#tools.begin({ step: callOf(step), id, start: () => this.#startTask(id, step) }) };
    return {};
  }

  #idOf(step: ContentStep): string {
    if (isText(step)) return '';
    return (step.step === 'tool' ? step.id : undefined) ?? this.#parts.session.toolId();
  }

  #startTask(id: string, step: BackgroundStep): ToolOutcome {
    const taskId = this.#parts.tasks.start(step, id);
    const written =
      step.kind === 'local_bash'
        ? 'Command running in background with ID'
        : 'Async agent launched successfully. agentId';
    return { content: `${written}: ${taskId}`, response: { backgroundTaskId: taskId } };
  }

  /** Recording 33-api-400. */
  #refused(status: number | null, message: string): void {
    this.#parts.session.requesting(this.#list);
    const error = { error: 'unknown', is_api_error_message: true, api_error_status: status };
    this.#parts.session.synthetic(message, { ...error, ...(this.#answered ? {} : this.#marks) });
    const reasons = { terminal_reason: 'api_error', stop_reason: 'stop_sequence' };
    this.#finish({ is_error: true, api_error_status: status, result: message, ...reasons });
  }

  #breakOff(): void {
    if (this.#interruption.how === 'now') return this.#yield();
    const forTool = this.#tools.unfinished;
    this.#tools.rejectUnfinished();
    this.#answer?.breakOff();
    this.#userFrames += 1;
    this.#parts.session.user([{ type: 'text', text: forTool ? texts.interruptedForTool : texts.interrupted }]);
    this.#answer?.endBrokenStream();
    this.#finish(aborted(forTool ? 'aborted_tools' : 'aborted_streaming', this.#stopReason));
  }

  /** Recordings 22-streaming-multi-turn-queue-priority, h-now-during-stream, h-now-during-tool: success, if the model wrote anything. */
  #yield(): void {
    const written = this.#answer?.breakOff() ?? '';
    this.#answer?.endBrokenStream();
    if (this.#tools.results > 0)
      return this.#finish({ terminal_reason: 'aborted_tools', stop_reason: 'tool_use', result: '' });
    if (written === '') return this.#finish(aborted('aborted_streaming', this.#stopReason));
    this.#finish({ terminal_reason: 'aborted_streaming', stop_reason: null, result: written });
  }

  #finish(fields: Readonly<Record<string, unknown>>): void {
    this.#isError = fields['is_error'] === true;
    // Recordings 32-max-turns, 32-max-budget.
    const { subtype = 'success' } = fields;
    const errors = subtype === 'success' ? {} : { result: undefined, api_error_status: undefined };
    this.#parts.session.result({
      num_turns: this.#userFrames + this.#tools.results,
      result: this.#lastText,
      api_error_status: null,
      terminal_reason: 'completed',
      permission_denials: this.#tools.denials,
      ...this.#cause.origin,
      ...this.#marks,
      ...errors,
      ...fields,
    });
  }
}

function aborted(terminalReason: string, stopReason: string | null): Readonly<Record<string, unknown>> {
  return {
    subtype: 'error_during_execution',
    is_error: true,
    terminal_reason: terminalReason,
    stop_reason: stopReason,
    api_error_status: undefined,
    result: undefined,
    errors: [`[ede_diagnostic] result_type=user last_content_type=n/a stop_reason=${String(stopReason)}`],
  };
}

function textOf({ message }: ReceivedFrame): string {
  const content = message?.content;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((block: { readonly text?: string }) => block.text ?? '').join('\n');
}
