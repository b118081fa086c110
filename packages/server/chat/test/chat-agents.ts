import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { agentFrames, linkedTransport, type LinkedAgent, type ReceivedFrame } from '@hexagent/testing';
import type { AskedOfPerson, ContractTurn, ReceivedAnswer } from '@hexagent/testing/contracts';
import type { Transport } from '@hexagent/ports';

const usage = { input_tokens: 1, output_tokens: 1 };
const tools = {
  permission: { tool_name: 'Bash', input: { command: 'touch made' } },
  plan: { tool_name: 'ExitPlanMode', input: { plan: 'First this.' } },
  question: {
    tool_name: 'AskUserQuestion',
    input: {
      questions: [
        {
          question: 'Which?',
          header: 'Which',
          multiSelect: false,
          options: ['this', 'that'].map((label) => ({ label, description: label })),
        },
      ],
    },
  },
} as const;

/** Agents of chats whose turns a test moves on. They store what was said where the CLI stores it, and as it does. */
export class ChatAgentsByHand {
  readonly transport: Transport;
  /** What the agents of a session began with. */
  readonly received = new Map<string, string[]>();
  readonly #folder: string;
  readonly #last = new Map<string, string>();
  readonly #turns = new Map<string, TurnByHand>();
  /** Messages whose turns ended with their agents, by their sessions. */
  readonly cut = new Map<string, readonly string[]>();
  /** Messages that are stored, each with its session: an agent begins with none of them again. */
  readonly known = new Set<string>();
  readonly #waiting = new Map<string, ((turn: TurnByHand) => void)[]>();

  constructor({ configDir, cwd }: { readonly configDir: string; readonly cwd: string }) {
    // A temporary folder has none of the characters that the CLI writes in another way, but those.
    this.#folder = path.join(configDir, 'projects', cwd.replace(/[^a-zA-Z0-9]/g, '-'));
    mkdirSync(this.#folder, { recursive: true });
    this.transport = linkedTransport((agent) => new AgentByHand(agent, this).start()).transport;
  }

  /** The turn that the agent of a session is in, once it has begun. */
  turn(sessionId: string): Promise<TurnByHand> {
    const turn = this.#turns.get(sessionId);
    if (turn !== undefined) return Promise.resolve(turn);
    return new Promise((resolve) => {
      this.#waiting.set(sessionId, [...(this.#waiting.get(sessionId) ?? []), resolve]);
    });
  }

  begun(sessionId: string, turn: TurnByHand): void {
    this.#turns.set(sessionId, turn);
    for (const resolve of this.#waiting.get(sessionId) ?? []) resolve(turn);
    this.#waiting.delete(sessionId);
  }

  ended(sessionId: string): void {
    this.#turns.delete(sessionId);
  }

  receive(sessionId: string, text: string): void {
    this.received.set(sessionId, [...(this.received.get(sessionId) ?? []), text]);
  }

  /** Each entry follows on the one before it, whichever agent stored that. */
  store(sessionId: string, entry: { readonly uuid: string; readonly [field: string]: unknown }): void {
    const parentUuid = this.#last.get(sessionId) ?? null;
    this.#last.set(sessionId, entry.uuid);
    const common = { parentUuid, isSidechain: false, sessionId, timestamp: new Date().toISOString() };
    appendFileSync(path.join(this.#folder, `${sessionId}.jsonl`), `${JSON.stringify({ ...common, ...entry })}\n`);
  }
}

class AgentByHand {
  readonly #agent: LinkedAgent;
  readonly #agents: ChatAgentsByHand;
  readonly #id: string;
  readonly #queue: ReceivedFrame[] = [];
  readonly #asked = new Map<string, (answer: ReceivedAnswer) => void>();
  #turn: TurnByHand | undefined;
  readonly #repeated: string[] = [];

  constructor(agent: LinkedAgent, agents: ChatAgentsByHand) {
    this.#agent = agent;
    this.#agents = agents;
    const args = agent.launch?.args.map(String) ?? [];
    this.#id = args.map((arg) => /^--(?:resume|session-id)=(.*)$/.exec(arg)?.[1] ?? '').join('');
  }

  start(): void {
    const cut = this.#agents.cut.get(this.#id);
    const isToGoOn = this.#agent.launch?.env['CLAUDE_CODE_RESUME_INTERRUPTED_TURN'] === '1';
    this.#agents.cut.delete(this.#id);
    if (cut !== undefined && isToGoOn) this.#openTurn().uuids.push(...cut);
    this.#agent.onLine((line) => this.#read(JSON.parse(line) as ReceivedFrame)); // a line of the SDK
    this.#agent.onInputEnd(() => this.#agent.exit());
    void this.#agent.exited.then(() => this.#agents.ended(this.#id));
  }

  #read(frame: ReceivedFrame): void {
    if (frame.type === 'control_request') {
      this.write(agentFrames.response(frame, { hook_on_failure_supported: true }));
      if (frame.request?.subtype === 'interrupt') this.#turn?.stop();
    } else if (frame.type === 'control_response') this.#answer(frame);
    else if (frame.type === 'user') this.#take(frame);
  }

  #take(frame: ReceivedFrame): void {
    const { uuid = '', priority } = frame;
    this.write(agentFrames.lifecycle(uuid, 'queued'));
    if (this.#agents.known.has(`${this.#id} ${uuid}`)) return this.#repeat(uuid);
    if (this.#turn === undefined || priority === undefined) this.#queue.push(frame);
    else this.#begin(frame, this.#turn);
    this.#next();
  }

  #next(): void {
    if (this.#turn !== undefined) return;
    const frame = this.#queue.shift();
    if (frame === undefined) return;
    const turn = this.#openTurn();
    this.#begin(frame, turn);
    this.write(agentFrames.init(frame.uuid ?? ''));
  }

  #openTurn(): TurnByHand {
    this.write(agentFrames.state('running'));
    const turn = new TurnByHand({
      write: (...frames) => this.write(...frames),
      ask: (asked, toolUse) => this.#ask(asked, toolUse),
      ended: (text, result) => this.#end(text, result),
      die: () => this.#die(),
    });
    this.#turn = turn;
    this.#agents.begun(this.#id, turn);
    return turn;
  }

  /** It is stored already: it is done with, or is when the turn that continues is. */
  #repeat(uuid: string): void {
    if (this.#turn === undefined) this.write(agentFrames.lifecycle(uuid, 'completed'));
    else this.#repeated.push(uuid);
  }

  #die(): void {
    this.#agents.cut.set(this.#id, this.#turn?.uuids ?? []);
    this.#agents.ended(this.#id);
    this.#agent.exit({ code: null, signal: 'SIGKILL' });
  }

  #begin({ uuid = '', message }: ReceivedFrame, turn: TurnByHand): void {
    const content = message?.content;
    this.#agents.receive(this.#id, typeof content === 'string' ? content : JSON.stringify(content));
    // The CLI stores a message that joins a turn as an attachment.
    if (turn.uuids.length === 0)
      this.#agents.store(this.#id, { type: 'user', uuid, message: { role: 'user', content } });
    else
      this.#agents.store(this.#id, {
        type: 'attachment',
        uuid: crypto.randomUUID(),
        attachment: { type: 'queued_command', prompt: content, source_uuid: uuid },
      });
    turn.uuids.push(uuid);
    this.#agents.known.add(`${this.#id} ${uuid}`);
    this.write(agentFrames.lifecycle(uuid, 'started'));
  }

  #ask({ kind, suggestions = 0 }: AskedOfPerson, tool_use_id: string): Promise<ReceivedAnswer> {
    const permission_suggestions = Array.from({ length: suggestions }, (_, at) => ({
      type: 'addRules',
      rules: [{ toolName: 'Bash', ruleContent: `touch ${at}` }],
      behavior: 'allow',
      destination: 'session',
    }));
    const request_id = crypto.randomUUID();
    const request = { subtype: 'can_use_tool', ...tools[kind], tool_use_id, permission_suggestions };
    const answer = new Promise<ReceivedAnswer>((resolve) => this.#asked.set(request_id, resolve));
    this.write(agentFrames.state('requires_action'), { type: 'control_request', request_id, request });
    return answer;
  }

  #answer({ response }: ReceivedFrame): void {
    const given = response?.response ?? {};
    const { behavior, updatedPermissions = [] } = given as { behavior?: string; updatedPermissions?: unknown[] }; // as PROTOCOL.md says
    const text = JSON.stringify(given);
    this.write(agentFrames.state('running'));
    this.#asked.get(String(response?.request_id))?.({
      approved: behavior === 'allow',
      suggestions: updatedPermissions.length,
      text,
    });
  }

  #end(text: string, result: object): void {
    for (const request_id of this.#asked.keys()) this.write({ type: 'control_cancel_request', request_id });
    this.#asked.clear();
    const message = { id: crypto.randomUUID(), role: 'assistant', content: [{ type: 'text', text }] };
    if (text !== '') this.#agents.store(this.#id, { type: 'assistant', uuid: crypto.randomUUID(), message });
    const uuids = new Set([...(this.#turn?.uuids ?? []), ...this.#repeated.splice(0)]);
    this.#turn = undefined;
    this.#agents.ended(this.#id);
    this.write(
      result,
      ...[...uuids].map((uuid) => agentFrames.lifecycle(uuid, 'completed')),
      agentFrames.state('idle'),
    );
    this.#next();
  }

  write(...frames: readonly object[]): void {
    this.#agent.write(...frames.map((frame) => ({ ...frame, session_id: this.#id })));
  }
}

interface TurnParts {
  readonly write: (...frames: readonly object[]) => void;
  readonly ask: (asked: AskedOfPerson, toolUse: string) => Promise<ReceivedAnswer>;
  readonly ended: (text: string, result: object) => void;
  readonly die: () => void;
}

export class TurnByHand implements Pick<ContractTurn, 'write' | 'end' | 'die'> {
  readonly #parts: TurnParts;
  /** The messages of the turn. */
  readonly uuids: string[] = [];
  #text = '';
  /** The text of the message of the model that is being written. */
  #open: { readonly id: string; text: string } | undefined;

  constructor(parts: TurnParts) {
    this.#parts = parts;
  }

  write(text: string): void {
    this.#text += text;
    this.#open ??= this.#openMessage();
    this.#open.text += text;
    this.#event(this.#open.id, { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
  }

  /** The call that is asked about, and its answer. */
  ask(asked: AskedOfPerson): { readonly toolUse: string; readonly answer: Promise<ReceivedAnswer> } {
    this.#closeMessage();
    const toolUse = `use-${crypto.randomUUID()}`;
    const { tool_name: name, input } = tools[asked.kind];
    this.#parts.write(assistant(crypto.randomUUID(), { type: 'tool_use', id: toolUse, name, input }));
    return { toolUse, answer: this.#parts.ask(asked, toolUse) };
  }

  end(): void {
    this.#closeMessage();
    this.#parts.ended(this.#text, agentFrames.result({ result: this.#text, user_message_uuids: this.uuids }));
  }

  die(): void {
    this.#parts.die();
  }

  stop(): void {
    this.#closeMessage();
    this.#parts.ended(this.#text, agentFrames.interrupted(...this.uuids));
  }

  #openMessage(): { readonly id: string; text: string } {
    const id = crypto.randomUUID();
    this.#event(id, {
      type: 'message_start',
      message: { id, role: 'assistant', model: 'test', content: [], usage },
    });
    this.#event(id, { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
    return { id, text: '' };
  }

  #closeMessage(): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    this.#parts.write(assistant(open.id, { type: 'text', text: open.text }));
    this.#event(open.id, { type: 'content_block_stop', index: 0 });
    this.#event(open.id, { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage });
    this.#event(open.id, { type: 'message_stop' });
  }

  #event(id: string, event: object): void {
    this.#parts.write({ type: 'stream_event', event, uuid: 'frame', api_message_id: id, parent_tool_use_id: null });
  }
}

function assistant(id: string, block: object): object {
  const message = { id, role: 'assistant', model: 'test', content: [block], stop_reason: null, usage };
  return { type: 'assistant', message, parent_tool_use_id: null, uuid: 'frame' };
}
