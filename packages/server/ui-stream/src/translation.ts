import { oneOf, text } from '@hexagent/checks';
import type { AnyMessage } from '@hexagent/ports';
import { Answer } from './answer.ts';
import { defined, numberOr, plainText, recordOf, textOr, textsOf, type Fields } from './loose.ts';
import { ModelMessages } from './model-messages.ts';
import { metadataOf, Subagents } from './subagents.ts';
import { noticeOf, systemChunk } from './system-chunks.ts';
import { commandOutputIn, isInterruption } from './user-parts.ts';
import { RunningOutputs } from './running-outputs.ts';
import { Tasks } from './tasks.ts';
import { ToolCalls } from './tool-calls.ts';
import { toolResultsIn } from './tool-results.ts';
import type {
  SubagentView,
  UiApproval,
  UiApprovalAnswer,
  UiEnd,
  UiTranslator,
  UiTranslatorOptions,
} from './ui-translator.ts';
import { endOf, endWithout, type TurnEnd } from './turn-end.ts';
import type { UiChunk } from './ui-chunk.ts';
import type { UiTurnMetadata } from './ui-data.ts';

const checkId = text();
const checkView = oneOf<SubagentView>('flat', 'nested', 'drop');

/**
 * A translator for one turn.
 * @throws {TypeError} for options that are not understood.
 */
export function createUiTranslator(options: UiTranslatorOptions): UiTranslator {
  checkId(options.messageId, 'messageId');
  checkView(options.subagents ?? 'flat', 'subagents');
  return new Translation(options);
}

/** The id of the answer to a message. */
export function answerIdOf(messageUuid: string): string {
  return `answer-${messageUuid}`;
}

/** A turn on its way from messages to chunks. */
class Translation implements UiTranslator {
  readonly #options: UiTranslatorOptions;
  readonly #answer: Answer = new Answer();
  readonly #tools: ToolCalls = new ToolCalls(this.#answer);
  readonly #model: ModelMessages = new ModelMessages(this.#answer, this.#tools);
  readonly #tasks: Tasks = new Tasks(this.#answer, this.#tools);
  readonly #outputs: RunningOutputs = new RunningOutputs(this.#tools, this.#tasks);
  readonly #subagents: Subagents;
  #state: 'new' | 'running' | 'ended' = 'new';
  /** The messages that the turn answers; those that are added later were taken up within it. */
  #answered: Set<string> | undefined;

  constructor(options: UiTranslatorOptions) {
    this.#options = options;
    this.#subagents = new Subagents(options.subagents ?? 'flat', this.#answer, this.#tools);
  }

  get ended(): boolean {
    return this.#state === 'ended';
  }

  push(message: AnyMessage): readonly UiChunk[] {
    if (this.#state === 'ended') return [];
    // A message is read field by field, since it may lack any of them.
    const fields = message as object as Fields;
    if (this.#state === 'new') this.#start(textOr(fields['session_id'], undefined));
    this.#translate(fields);
    return this.#answer.take();
  }

  approvalRequested(approval: UiApproval): readonly UiChunk[] {
    if (this.#state === 'ended') return [];
    this.#start(undefined);
    const { agentId } = approval;
    this.#tools.ask(approval, metadataOf({ parentToolCallId: this.#tasks.callOf(agentId), agentId }));
    return this.#answer.take();
  }

  approvalSettled(answer: UiApprovalAnswer): readonly UiChunk[] {
    if (this.#state !== 'running') return [];
    this.#tools.settle(answer);
    return this.#answer.take();
  }

  end(how?: UiEnd): readonly UiChunk[] {
    if (this.#state === 'ended') return [];
    this.#start(undefined);
    this.#finish(endWithout(how));
    return this.#answer.take();
  }

  #start(sessionId: string | undefined): void {
    if (this.#state !== 'new') return;
    this.#state = 'running';
    const { messageId } = this.#options;
    const metadata = sessionId === undefined ? {} : { messageMetadata: { sessionId } };
    this.#answer.emitPiece({ type: 'start', messageId, ...metadata });
  }

  #translate(message: Fields): void {
    this.#follow(message['user_message_uuids']);
    const parent = message['parent_tool_use_id'];
    const isSubagents = typeof parent === 'string' && parent !== '';
    switch (message['type']) {
      case 'stream_event':
        // Subagents do not stream; were they to, their complete messages would follow all the same.
        if (!isSubagents) this.#model.event(recordOf(message['event']), message['abandoned_blocks']);
        return;
      case 'assistant':
        if (isSubagents) this.#subagents.push(message, parent);
        else this.#model.complete(recordOf(message['message']));
        return;
      case 'user':
        if (isSubagents) this.#subagents.push(message, parent);
        else this.#user(message);
        return;
      case 'system':
        return this.#system(message);
      case 'result':
        return this.#result(message);
      default:
        return this.#other(message);
    }
  }

  /** The uuids of the messages that the turn answers come with the first of its messages, and again when one is added. */
  #follow(uuids: unknown): void {
    if (uuids === undefined) return;
    const named = textsOf(uuids);
    if (this.#answered === undefined) this.#answered = new Set(named);
    for (const uuid of named) this.#takeUp(uuid, this.#options.steering?.(uuid));
  }

  #takeUp(id: string, typed: string | undefined): void {
    if (this.#answered?.has(id)) return;
    (this.#answered ??= new Set()).add(id);
    if (typed !== undefined)
      this.#answer.emit({ type: 'steering-message', id, parts: [{ type: 'text', text: typed }] });
  }

  #user(message: Fields): void {
    const { content } = recordOf(message['message']);
    for (const [id, outcome] of toolResultsIn(message, content)) this.#tools.finish(id, outcome);
    const typed = plainText(content);
    const output = commandOutputIn(typed);
    if (output !== undefined) this.#emit(noticeOf(message, output, 'info'));
    // Only stored messages have it; in a stream the message is added to those that the turn answers.
    else if (message['isQueuedCommand'] === true) this.#takeUp(textOr(message['uuid'], ''), typed);
    else if (isInterruption(typed)) this.#emit(metadata({ interrupted: true }));
  }

  #system(message: Fields): void {
    switch (message['subtype']) {
      case 'init':
        return this.#emit(
          metadata({
            sessionId: textOr(message['session_id'], undefined),
            model: textOr(message['model'], undefined),
            permissionMode: textOr(message['permissionMode'], undefined),
          }),
        );
      case 'task_started':
        return this.#tasks.started(message);
      case 'task_progress':
        return this.#tasks.progressed(message);
      case 'task_updated':
        return this.#tasks.updated(message);
      case 'task_notification':
        return this.#tasks.ended(message);
      case 'background_tasks_changed':
        return this.#tasks.listed(message);
      case 'permission_denied':
        return this.#tools.refuse(
          textOr(message['tool_use_id'], ''),
          textOr(message['message'], 'It was not allowed.'),
        );
      default:
        return this.#emit(systemChunk(message));
    }
  }

  #other(message: Fields): void {
    switch (message['type']) {
      case 'command_lifecycle': {
        const { state, command_uuid: uuid } = message;
        if (state === 'started' && typeof uuid === 'string') this.#follow([uuid]);
        return;
      }
      case 'hexagent':
        return this.#outputs.push(message);
      case 'tool_progress':
        return this.#emit({
          type: 'data-tool-progress',
          id: textOr(message['tool_use_id'], ''),
          data: {
            toolCallId: textOr(message['tool_use_id'], ''),
            toolName: textOr(message['tool_name'], 'unknown'),
            elapsedSeconds: numberOr(message['elapsed_time_seconds'], 0),
          },
          transient: true,
        });
      case 'rate_limit_event': {
        const { status, resetsAt, utilization } = recordOf(message['rate_limit_info']);
        const numbers = { resetsAt: numberOr(resetsAt, undefined), utilization: numberOr(utilization, undefined) };
        const data = { status: textOr(status, 'allowed'), ...defined(numbers) };
        return this.#emit({ type: 'data-rate-limit', data, transient: true });
      }
      case 'tool_use_summary':
        return this.#emit(noticeOf(message, message['summary'], 'info'));
      case 'prompt_suggestion':
        return this.#emit({
          type: 'data-suggestion',
          data: { suggestion: textOr(message['suggestion'], '') },
          transient: true,
        });
      case 'conversation_reset': {
        const sessionId = textOr(message['new_conversation_id'], '');
        return this.#emit({ type: 'data-reset', data: { sessionId } });
      }
    }
  }

  #emit(chunk: UiChunk | undefined): void {
    if (chunk !== undefined) this.#answer.emit(chunk);
  }

  #result(result: Fields): void {
    const output = result['structured_output'];
    if (output !== undefined)
      this.#answer.emit({ type: 'data-structured-output', id: 'structured-output', data: { output } });
    this.#finish(endOf(result));
  }

  #finish({ metadata, finishReason, last, unfinished }: TurnEnd): void {
    this.#answer.closeAll();
    this.#subagents.finishAll(unfinished);
    this.#tools.finishAll(unfinished);
    this.#answer.endStep();
    const reported = Object.keys(metadata).length > 0 && { messageMetadata: metadata };
    this.#answer.emitPiece({ type: 'finish', finishReason, ...reported });
    // An error makes a page ignore what follows it.
    if (last !== undefined) this.#answer.emitPiece(last);
    this.#state = 'ended';
  }
}

function metadata(fields: { readonly [Key in keyof UiTurnMetadata]: UiTurnMetadata[Key] | undefined }): UiChunk {
  return { type: 'message-metadata', messageMetadata: defined(fields) };
}
