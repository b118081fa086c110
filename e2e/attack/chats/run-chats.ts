import { mkdtempSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSdk } from '@hexagent/sdk';
import { createChat, type Chat } from '@hexagent/chat';
import { Chance } from '../../support/chance.ts';
import type { Finding } from '../invariants.ts';
import { MortalAgents } from '../hosted/mortal-agents.ts';
import { leftoversOf, takeStock } from '../leftovers.ts';
import { chatViolations, newChatAccount, type ChatAccount } from './chat-account.ts';
import { ChatPage, settledTexts, type PageOptions } from './chat-page.ts';
import { ChatPlay } from './chat-play.ts';
import { readStates } from './outbox-states.ts';
import { PageMessages } from './page-messages.ts';

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
  readonly #messages: PageMessages;
  #pages = 0;

  constructor(seed: number, load: ChatsLoad, root: string) {
    this.#load = load;
    this.#chance = new Chance(seed);
    this.#messages = new PageMessages(this.#chance, load.messages);
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
    await readStates(this.#folder, this.#messages.all, this.#account);
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

  #pageOptions(signal: AbortSignal): PageOptions {
    return {
      fetch: (input, init) => this.#chat.handle(new Request(input, init), { peer: '127.0.0.1' }),
      address: async () => ({ url: 'http://127.0.0.1/api', life: 1 }),
      chance: this.#chance,
      account: this.#account,
      mostPatienceMs: 250,
      // These agents let no message join a turn.
      steers: false,
      signal,
    };
  }

  async #useChat(id: string, signal: AbortSignal): Promise<void> {
    await this.#messages.sendFromPages(id, async (messages) => {
      this.#pages += 1;
      await new ChatPage(id, this.#pageOptions(signal)).sendAll(messages);
    });
  }

  async #readHistory(id: string, signal: AbortSignal): Promise<void> {
    this.#messages.countIn(this.#account, id, await settledTexts(id, this.#pageOptions(signal)));
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
}
