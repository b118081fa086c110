import { mkdtempSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OutboxFiles } from '@hexagent/host-files';
import { createSdk } from '@hexagent/sdk';
import { createChat, type Chat } from '@hexagent/sdk/chat';
import { Chance } from '../chance.ts';
import type { Finding } from '../invariants.ts';
import { MortalAgents } from '../hosted/mortal-agents.ts';
import { leftoversOf, takeStock } from '../leftovers.ts';
import { chatViolations, chatOf, messageOf, newChatAccount, type ChatAccount } from './chat-account.ts';
import { ChatPage, textsOf, type PageMessage } from './chat-page.ts';
import { answerTo, ChatPlay } from './chat-play.ts';

export interface ChatsLoad {
  readonly chats: number;
  readonly messages: number;
  /** More than this is a hang. */
  readonly withinMs: number;
}

const standard: ChatsLoad = { chats: 200, messages: 3, withinMs: 75_000 };

/** Many chats with pages that come and go, over files and agents that die: what was accepted is run and shown once. */
export async function runChats(
  seed: number,
  { size = standard.chats }: { readonly size?: number | undefined } = {},
): Promise<Finding> {
  const load = { ...standard, chats: size };
  const root = mkdtempSync(join(tmpdir(), 'hexagent-chats-'));
  const before = takeStock();
  const run = new ChatsRun(seed, load, root);
  try {
    const finding = await run.run();
    const { handles } = await leftoversOf({
      mark: root,
      files: () => [],
      before,
      signal: new AbortController().signal,
    });
    return { ...finding, violations: [...finding.violations, ...handles.map((handle) => `left: ${handle}`)] };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

class ChatsRun {
  readonly #load: ChatsLoad;
  readonly #chance: Chance;
  readonly #account: ChatAccount = newChatAccount();
  readonly #agents: MortalAgents;
  readonly #folder: string;
  readonly #chat: Chat;
  readonly #messages: (PageMessage & { readonly uuid: string | undefined })[] = [];
  #pages = 0;

  constructor(seed: number, load: ChatsLoad, root: string) {
    this.#load = load;
    this.#chance = new Chance(seed);
    this.#folder = join(root, 'host');
    const places = { cwd: join(root, 'work'), configDir: join(root, 'config') };
    mkdirSync(places.cwd);
    const chance = new Chance(seed + 1_000_000);
    this.#agents = new MortalAgents(chance, new ChatPlay({ chance, account: this.#account, ...places }));
    this.#chat = createChat({
      folder: this.#folder,
      sdk: createSdk({ transport: this.#agents.transport, onWarning: () => {} }),
      session: { cwd: places.cwd, env: { policy: 'exact', set: { CLAUDE_CONFIG_DIR: places.configDir } } },
      hosting: {
        maxLive: 20,
        maxStarting: 4,
        autoResume: 'continue',
        crashes: { firstDelayMs: 1, longestDelayMs: 4, maxCrashes: 1000 },
      },
      approvalsExpireAfterMs: { permission: 200 },
      limits: { streams: 5000 },
      onError: () => {},
    });
  }

  async run(): Promise<Finding> {
    const { chats, withinMs } = this.#load;
    const signal = AbortSignal.timeout(withinMs);
    const ids = Array.from({ length: chats }, (_, index) => `chat-${index}`);
    await Promise.all(ids.map((id) => this.#useChat(id, signal)));
    await Promise.all(ids.map((id) => this.#readHistory(id, signal)));
    await this.#close();
    await this.#readOutbox();
    const { messages, approvals, streams, stopped } = this.#account;
    const settled = [...approvals.values()];
    return {
      violations: [...this.#agents.violations, ...chatViolations(this.#account)],
      seen: {
        'messages of chats': messages.size,
        pages: this.#pages,
        'streams read to the end': streams.length,
        'of them complete': streams.filter(({ last }) => last === 'finish').length,
        'approvals answered by pages': settled.filter(({ taken }) => taken.length > 0).length,
        'answers that came second': settled.reduce((sum, { refused }) => sum + refused.length, 0),
        'chats stopped': stopped.size,
        'agents of chats killed': this.#agents.kills,
      },
    };
  }

  /** Two pages use each chat. Each has messages of its own, and one that both send. */
  async #useChat(id: string, signal: AbortSignal): Promise<void> {
    // The outbox has messages under their own ids where those are uuids.
    const toMessage = (name: string): PageMessage => {
      const uuid = this.#chance.percent(70) ? this.#uuid() : undefined;
      const message = { name, id: uuid ?? name.replace(' ', '-'), uuid };
      this.#messages.push(message);
      return message;
    };
    const shared = toMessage(`${id} shared`);
    const pages = ['a', 'b'].map(async (page) => {
      const count = 1 + this.#chance.below(this.#load.messages);
      const own = Array.from({ length: count }, (_, index) => toMessage(`${id} ${page}${index}`));
      const options = { chat: this.#chat, chance: this.#chance, account: this.#account, signal };
      this.#pages += 1;
      await new ChatPage(id, options).sendAll(this.#chance.percent(50) ? [shared, ...own] : [...own, shared]);
    });
    await Promise.all(pages);
  }

  #uuid(): string {
    const digits = Array.from({ length: 12 }, () => this.#chance.below(16).toString(16)).join('');
    return `${String(this.#messages.length).padStart(8, '0')}-0000-4000-8000-${digits}`;
  }

  /** As soon as nothing runs in it. */
  async #readHistory(id: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      const { texts, isRunning } = await textsOf(this.#chat, id);
      if (isRunning && !signal.aborted) {
        await sleep(5);
        continue;
      }
      for (const { name } of this.#messages) {
        if (chatOf(name) !== id) continue;
        const message = messageOf(this.#account, name);
        message.asked = texts.filter((text) => text === name).length;
        message.answered = texts.filter((text) => text.includes(answerTo(name))).length;
      }
      return;
    }
  }

  async #close(): Promise<void> {
    const waiting = new AbortController();
    const tooLate = sleep(20_000, true, { signal: waiting.signal }).catch(() => false);
    if (await Promise.race([this.#chat.close().then(() => false), tooLate]))
      this.#account.odd.push('close() of the chat does not resolve');
    waiting.abort();
    if (this.#agents.alive > 0) this.#account.odd.push(`${this.#agents.alive} agents are left`);
    if (this.#agents.mostAlive > 20) this.#account.odd.push(`${this.#agents.mostAlive} agents lived at once`);
  }

  async #readOutbox(): Promise<void> {
    const outbox = new OutboxFiles({ folder: this.#folder });
    const unfinished = new Set(await outbox.unfinished());
    for (const { name, uuid } of this.#messages) {
      const session = chatOf(name);
      const message = messageOf(this.#account, name);
      if (uuid !== undefined) message.state = await outbox.stateOf({ session, uuid });
      // Its uuid is made of its id; without one that was not done with in the chat, it is.
      else if (!unfinished.has(session)) message.state = message.ran === 0 ? 'cancelled' : 'completed';
    }
    await outbox.close();
  }
}
