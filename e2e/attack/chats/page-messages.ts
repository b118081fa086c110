import type { Chance } from '../../support/chance.ts';
import { chatOf, messageOf, type ChatAccount } from './chat-account.ts';
import { answerTo } from './chat-play.ts';

export interface PageMessage {
  readonly name: string;
  /** The id that the page gives it. */
  readonly id: string;
}

export interface StorableMessage extends PageMessage {
  /** The same, where it is a uuid: then the outbox has it under that. */
  readonly uuid: string | undefined;
}

/** The messages that pages send to all chats of a run. */
export class PageMessages {
  readonly all: StorableMessage[] = [];
  readonly #chance: Chance;
  readonly #mostOfPage: number;

  constructor(chance: Chance, mostOfPage: number) {
    this.#chance = chance;
    this.#mostOfPage = mostOfPage;
  }

  /** Two pages use each chat. Each has messages of its own, and one that both send. */
  async sendFromPages(id: string, send: (messages: readonly PageMessage[]) => Promise<void>): Promise<void> {
    const shared = this.#add(`${id} shared`);
    const pages = ['a', 'b'].map(async (page) => {
      const count = 1 + this.#chance.below(this.#mostOfPage);
      const own = Array.from({ length: count }, (_, index) => this.#add(`${id} ${page}${index}`));
      await send(this.#chance.percent(50) ? [shared, ...own] : [...own, shared]);
    });
    await Promise.all(pages);
  }

  /** Counts how often the history of a chat has each of its messages and the answer to it. */
  countIn(account: ChatAccount, id: string, texts: readonly string[]): void {
    for (const { name } of this.all) {
      if (chatOf(name) !== id) continue;
      const message = messageOf(account, name);
      message.asked = texts.filter((text) => text === name).length;
      message.answered = texts.filter((text) => text.includes(answerTo(name))).length;
    }
  }

  #add(name: string): PageMessage {
    const uuid = this.#chance.percent(70) ? this.#uuid() : undefined;
    const message = { name, id: uuid ?? name.replace(' ', '-'), uuid };
    this.all.push(message);
    return message;
  }

  #uuid(): string {
    const digits = Array.from({ length: 12 }, () => this.#chance.below(16).toString(16)).join('');
    return `${String(this.all.length).padStart(8, '0')}-0000-4000-8000-${digits}`;
  }
}
