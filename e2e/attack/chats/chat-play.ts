import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { agentFrames } from '@hexagent/testing';
import type { Chance } from '../../support/chance.ts';
import type { Play, PlayedTurn } from '../hosted/mortal-agents.ts';
import { approvalOf, messageOf, type ChatAccount } from './chat-account.ts';

/** The answer to a message, as it is found in streams and in the history. */
export const answerTo = (name: string): string => `[answer to ${name}]`;

interface ChatPlayOptions {
  readonly chance: Chance;
  readonly account: ChatAccount;
  readonly configDir: string;
  readonly cwd: string;
}

/** Agents that speak in pieces, ask before they use a tool, and store what was said as the CLI does. */
export class ChatPlay implements Play {
  readonly #options: ChatPlayOptions;
  readonly #folder: string;
  /** The last entry of each session, on which the next one follows. */
  readonly #last = new Map<string, string>();
  #count = 0;

  constructor(options: ChatPlayOptions) {
    this.#options = options;
    // A folder of a temporary place has none of the characters that the CLI writes in another way.
    this.#folder = join(options.configDir, 'projects', options.cwd.replace(/[^a-zA-Z0-9]/g, '-'));
    mkdirSync(this.#folder, { recursive: true });
  }

  begun({ session, uuid, content }: PlayedTurn): void {
    this.#store(session, { type: 'user', uuid, message: { role: 'user', content } });
  }

  async perform(turn: PlayedTurn): Promise<void> {
    const { chance } = this.#options;
    if (chance.percent(50)) {
      if (!(await this.#speak(turn, ['Let me see. ']))) return;
      if (chance.percent(60) && !(await this.#useTool(turn))) return;
    }
    const name = nameIn(turn);
    await this.#speak(turn, [...chance.list(0, 6, () => 'a piece, '), answerTo(name)]);
  }

  finished(turn: PlayedTurn): void {
    const { account } = this.#options;
    const name = nameIn(turn);
    messageOf(account, name).ran += 1;
    this.#count += 1;
    const message = {
      id: `stored-${this.#count}`,
      role: 'assistant',
      content: [{ type: 'text', text: answerTo(name) }],
    };
    this.#store(turn.session, { type: 'assistant', uuid: crypto.randomUUID(), message });
  }

  /** `false` when the agent died or was interrupted meanwhile. */
  async #speak(turn: PlayedTurn, pieces: readonly string[]): Promise<boolean> {
    this.#count += 1;
    const id = `message-${this.#count}`;
    const event = (fields: object): void =>
      turn.write({ type: 'stream_event', event: fields, uuid: 'frame', api_message_id: id, parent_tool_use_id: null });
    const usage = { input_tokens: 1, output_tokens: 1 };
    event({ type: 'message_start', message: { id, role: 'assistant', model: 'test', content: [], usage } });
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
    for (const text of pieces) {
      event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
      if (!(await turn.step())) return false;
    }
    turn.write(assistant(id, { type: 'text', text: pieces.join('') }));
    event({ type: 'content_block_stop', index: 0 });
    event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage });
    event({ type: 'message_stop' });
    return await turn.step();
  }

  async #useTool(turn: PlayedTurn): Promise<boolean> {
    this.#count += 1;
    const toolUse = `use-${this.#count}`;
    const input = { command: `echo ${toolUse}` };
    turn.write(assistant(`message-of-${toolUse}`, { type: 'tool_use', id: toolUse, name: 'Bash', input }));
    const request = { subtype: 'can_use_tool', tool_name: 'Bash', tool_use_id: toolUse, input };
    turn.write(agentFrames.state('requires_action'));
    const answer = await turn.ask(request);
    if (answer === undefined) return false;
    approvalOf(this.#options.account, toolUse).received.push(String(answer['behavior']));
    const content = [
      { type: 'tool_result', tool_use_id: toolUse, content: 'done', is_error: answer['behavior'] !== 'allow' },
    ];
    turn.write(agentFrames.state('running'), {
      type: 'user',
      uuid: 'frame',
      parent_tool_use_id: null,
      message: { role: 'user', content },
    });
    return await turn.step();
  }

  #store(sessionId: string, entry: { readonly uuid: string; readonly [field: string]: unknown }): void {
    const parentUuid = this.#last.get(sessionId) ?? null;
    this.#last.set(sessionId, entry.uuid);
    const common = { parentUuid, isSidechain: false, sessionId, cwd: this.#options.cwd };
    const timestamp = new Date().toISOString();
    appendFileSync(join(this.#folder, `${sessionId}.jsonl`), `${JSON.stringify({ ...common, timestamp, ...entry })}\n`);
  }
}

function assistant(id: string, block: object): object {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id, role: 'assistant', model: 'test', content: [block], stop_reason: null, usage };
  return { type: 'assistant', message, parent_tool_use_id: null, uuid: 'frame' };
}

/** The pages' messages consist of their names. */
function nameIn({ content }: PlayedTurn): string {
  if (typeof content === 'string') return content;
  const [block] = content as readonly { readonly text: string }[]; // as the handler makes them
  return block?.text ?? '';
}
