import { setTimeout as wait } from 'node:timers/promises';
import { page, type Member } from '../fleet.ts';
import { monotonicMs } from './ledger-line.ts';
import type { Task } from './task.ts';

/** What pages were answered. */
export interface PageLog {
  /** How often each status came, and each failure. */
  readonly answers: Map<string, number>;
  /** By the id of a message that was accepted: when its page asked for that, so that it was stored later. */
  readonly accepted: Map<string, number>;
  /** By the id of an approval: how often its answer was reported as the one that counts. */
  readonly settled: Map<string, number>;
}

export interface PagesParts {
  /** Those that run now. */
  readonly gateways: () => readonly Member[];
  readonly random: () => number;
  /** Whether a message is finished, by the database, when that was asked; `undefined` where it is not known there. */
  readonly find: (task: Task) => { readonly isDone: boolean; readonly at: number } | undefined;
  readonly log: PageLog;
  readonly stop: AbortSignal;
}

const count = (map: Map<string, number>, name: string): void => void map.set(name, (map.get(name) ?? 0) + 1);

/** The page of one session: sends its messages in order, some before the turn before has ended, and follows the turns. */
export class Page {
  readonly #parts: PagesParts;

  constructor(parts: PagesParts) {
    this.#parts = parts;
  }

  async run(tasks: readonly Task[]): Promise<void> {
    for (const [at, task] of tasks.entries()) {
      const isLast = at === tasks.length - 1;
      const isRead = await this.#send(task);
      // A person types the next message meanwhile, or waits.
      if (isRead && (isLast || this.#parts.random() < 0.6)) await this.follow(task);
    }
  }

  /** As a person who presses the button again; the message has the same id. Resolves with whether it is still to be read. */
  async #send(task: Task): Promise<boolean> {
    const { log, stop } = this.#parts;
    const began = monotonicMs();
    for (; !stop.aborted; await this.#pause(200)) {
      const gateway = this.#gateway();
      if (gateway === undefined) continue;
      const askedAt = monotonicMs();
      const response = await this.#ask('POST', () => page.send(gateway, task.session, task.text, task.id));
      if (response === undefined) continue;
      const { status } = response;
      const known = status === 409 ? this.#parts.find(task) : undefined;
      // Read beside the next message: a person does not wait for the end of an answer.
      if (status === 200) void this.#read(response, task);
      const refusal = status === 200 ? '' : await response.text().catch(() => '');
      // Its worker has run it. A replica may lack that, and then no database ever knows of it.
      if (known === undefined && refusal.includes('"ALREADY_SENT"')) {
        log.accepted.set(task.id, log.accepted.get(task.id) ?? began);
        return false;
      }
      if (status === 200 || status === 202 || known !== undefined) {
        log.accepted.set(task.id, known?.at ?? askedAt);
        return true;
      }
      // A turn runs: the page shows it, and what it asks.
      if (status === 409) await this.#resume(task);
    }
    return false;
  }

  /** Resumes the stream at any gateway until the message is finished. One that the database does not know is sent again. */
  async follow(task: Task): Promise<void> {
    const { find, stop } = this.#parts;
    for (let since = performance.now(); find(task)?.isDone !== true && !stop.aborted; await this.#pause(300)) {
      if (find(task) === undefined && performance.now() - since > 3000) {
        if (!(await this.#send(task))) return;
        since = performance.now();
      }
      await this.#resume(task);
    }
  }

  async #resume(task: Task): Promise<void> {
    const gateway = this.#gateway();
    if (gateway === undefined) return;
    const response = await this.#ask('GET', () => page.stream(gateway, task.session));
    if (response?.status === 200) await this.#read(response, task);
    else await response?.body?.cancel().catch(() => {});
  }

  async #read(response: Response, { session }: Task): Promise<void> {
    const asked = new Set<string>();
    let text = '';
    try {
      // A turn that waits for an answer, which none gives any more, would be read for ever.
      const { stop: signal } = this.#parts;
      for await (const piece of response.body?.pipeThrough(new TextDecoderStream(), { signal }) ?? []) {
        text += piece;
        for (const [, id = ''] of text.matchAll(/"type":"tool-approval-request","approvalId":"([^"]+)"/g)) {
          if (asked.has(id)) continue;
          asked.add(id);
          void this.#settle(session, id);
        }
      }
      count(this.#parts.log.answers, 'stream ended');
    } catch {
      count(this.#parts.log.answers, 'stream failed');
    }
  }

  /** Two pages at all gateways answer at once, and again. */
  async #settle(session: string, id: string): Promise<void> {
    const { gateways, log, stop } = this.#parts;
    let isOver = false;
    for (; !isOver && !stop.aborted; await this.#pause(300)) {
      const answers = gateways().map(async (gateway) => {
        const path = `chat/${session}/approvals/${id}`;
        const response = await this.#ask('settle', () => page.post(gateway, path, { approved: true }));
        const body: unknown = await response?.json().catch(() => undefined);
        if (response?.status === 200 && Reflect.get(Object(body), 'settled') === true) count(log.settled, id);
        return response?.status;
      });
      isOver = (await Promise.all(answers)).some((status) => status === 200 || status === 404 || status === 409);
    }
  }

  async #ask(what: string, send: () => Promise<Response>): Promise<Response | undefined> {
    const { answers } = this.#parts.log;
    try {
      const response = await send();
      count(answers, `${what} ${response.status}`);
      return response;
    } catch {
      count(answers, `${what} failed`);
      return undefined;
    }
  }

  #gateway(): Member | undefined {
    const { gateways, random } = this.#parts;
    const living = gateways();
    return living[Math.floor(random() * living.length)];
  }

  async #pause(ms: number): Promise<void> {
    await wait(ms, undefined, { signal: this.#parts.stop }).catch(() => {});
  }
}
