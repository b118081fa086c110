import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { processesMentioning, type ProcessEntry } from '@hexagent/testing/cli';
import { Chance } from '../../support/chance.ts';
import { chatViolations, newChatAccount, type ChatAccount } from '../chats/chat-account.ts';
import { ChatPage, settledTexts, type PageOptions } from '../chats/chat-page.ts';
import { PageMessages } from '../chats/page-messages.ts';
import type { Finding } from '../invariants.ts';
import { killAgent } from '../kill-agent.ts';
import { processesLeft } from '../leftovers.ts';
import { ChatServer } from './chat-server.ts';
import { readApprovals, readOutbox } from './evidence.ts';

export interface ServersLoad {
  readonly chats: number;
  readonly messages: number;
  readonly serverDeaths: number;
  readonly agentDeaths: number;
  /** More than this is a hang. */
  readonly withinMs: number;
}

const standard: ServersLoad = {
  chats: 20,
  messages: 3,
  serverDeaths: 3,
  agentDeaths: 20,
  withinMs: 120_000,
};
/** What a server may hold: Node itself, the sources that it compiles, and what it keeps for chats and their readers. */
const mostMegabytes = 400;

const agent = fileURLToPath(new URL('agent.mjs', import.meta.url));

/** Chats over files whose server is killed, and their agents too, while pages come and go. */
export async function runServers(
  seed: number,
  { size }: { readonly size?: number | undefined } = {},
): Promise<Finding> {
  const share = (size ?? standard.chats) / standard.chats;
  const load: ServersLoad = {
    ...standard,
    chats: size ?? standard.chats,
    serverDeaths: Math.max(1, Math.round(standard.serverDeaths * share)),
    agentDeaths: Math.max(4, Math.round(standard.agentDeaths * share)),
  };
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'hexagent-servers-')));
  const run = new ServersRun(seed, load, root);
  try {
    return await run.run();
  } finally {
    run.kill();
    rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

class ServersRun {
  readonly #load: ServersLoad;
  readonly #chance: Chance;
  readonly #root: string;
  readonly #log: string;
  readonly #folder: string;
  readonly #server: ChatServer;
  readonly #account: ChatAccount = newChatAccount();
  readonly #messages: PageMessages;
  #pages = 0;
  #agentDeaths = 0;
  #lost = 0;

  constructor(seed: number, load: ServersLoad, root: string) {
    this.#load = load;
    this.#chance = new Chance(seed);
    this.#messages = new PageMessages(this.#chance, load.messages);
    this.#root = root;
    this.#folder = path.join(root, 'chats');
    this.#log = path.join(root, 'log');
    const [cwd, configDir] = [path.join(root, 'work'), path.join(root, 'config')];
    mkdirSync(cwd);
    writeFileSync(this.#log, '');
    const set = {
      PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`,
      CLAUDE_CONFIG_DIR: configDir,
      CHATS_LOG: this.#log,
      CHATS_SEED: String(seed),
    };
    this.#server = new ChatServer({
      folder: this.#folder,
      session: { cwd, executable: agent, env: { policy: 'exact', set } },
      autoResume: this.#chance.oneOf(['wait', 'continue']),
      maxLive: 8,
    });
  }

  async run(): Promise<Finding> {
    await this.#server.start();
    const signal = AbortSignal.timeout(this.#load.withinMs);
    const ids = Array.from({ length: this.#load.chats }, (_, index) => `chat-${index}`);
    const done = new AbortController();
    const killing = this.#killAtRandom(done.signal);
    await Promise.all(ids.map((id) => this.#useChat(id, signal)));
    done.abort();
    await killing;
    await Promise.all(ids.map((id) => this.#readHistory(id, signal)));
    await this.#server.end();
    const evidence = { root: this.#root, folder: this.#folder, log: this.#log };
    await readOutbox(evidence, this.#messages.all, this.#account);
    this.#lost = await readApprovals(evidence, this.#account);
    const left = await processesLeft(this.#root);
    if (left.length > 0) this.#account.odd.push(`processes left: ${left.join(', ')}`);
    return this.#finding();
  }

  kill(): void {
    this.#server.kill();
  }

  async #killAtRandom(signal: AbortSignal): Promise<void> {
    const { serverDeaths, agentDeaths } = this.#load;
    while (!signal.aborted) {
      await sleep(20 + this.#chance.below(80));
      if (this.#agentDeaths < agentDeaths && this.#chance.percent(40)) this.#killAgent();
      // Rather while a person is asked, who then answers a server that never asked.
      const share = this.#isAsked() ? 15 : 2;
      if (this.#server.deaths < serverDeaths && this.#chance.percent(share)) await this.#server.replace();
    }
  }

  #isAsked(): boolean {
    return [...this.#account.approvals.values()].some(({ taken, refused }) => taken.length + refused.length === 0);
  }

  #killAgent(): void {
    if (killAgent(this.#agents(), this.#chance)) this.#agentDeaths += 1;
  }

  #agents(): readonly ProcessEntry[] {
    // The server's own command names the agent too.
    return processesMentioning(this.#root).filter(({ command }) => command.includes(agent) && !command.includes('{'));
  }

  #pageOptions(signal: AbortSignal): PageOptions {
    return {
      fetch,
      address: () => this.#server.address(),
      chance: this.#chance,
      account: this.#account,
      mostPatienceMs: 900,
      steers: true,
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

  #finding(): Finding {
    const { messages, approvals, streams, stopped } = this.#account;
    const { peakMegabytes, odd, deaths } = this.#server;
    const settled = [...approvals.values()];
    const large = peakMegabytes > mostMegabytes ? [`a server held ${peakMegabytes} MB`] : [];
    return {
      violations: [...odd, ...large, ...chatViolations(this.#account)],
      seen: {
        'messages of servers': messages.size,
        'pages of servers': this.#pages,
        'streams read of servers': streams.length,
        'of servers complete': streams.filter(({ last }) => last === 'finish').length,
        'approvals answered over servers': settled.filter(({ taken }) => taken.length > 0).length,
        'approvals lost with a server': this.#lost,
        'late answers over servers': settled.reduce((sum, { refused }) => sum + refused.length, 0),
        'chats stopped over servers': stopped.size,
        'servers killed': deaths,
        'agents of servers killed': this.#agentDeaths,
        'MB of servers together': peakMegabytes,
      },
    };
  }
}
