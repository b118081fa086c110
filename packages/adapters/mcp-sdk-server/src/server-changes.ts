import type { McpServer } from '@hexagent/ports';
import type { ServerSessions } from './server-sessions.ts';

/** Replaces servers while the agent has them. */
export class ServerChanges {
  readonly #sessions: ServerSessions;
  /** What the agent took last. */
  #taken: ReadonlySet<string>;
  /** Notifications that it has not answered yet. */
  readonly #announced = new Set<ReadonlySet<string>>();

  constructor(sessions: ServerSessions) {
    this.#sessions = sessions;
    this.#taken = new Set(sessions.names);
  }

  /** Announces at once, so that the agent reads of changes in the order in which they were made. */
  async change<T>(servers: readonly McpServer[], announce: () => Promise<T>): Promise<T> {
    const names = new Set(servers.map(({ name }) => name));
    for (const server of servers) if (this.#sessions.server(server.name) === undefined) this.#sessions.add(server);
    this.#announced.add(names);
    try {
      const answer = await announce();
      this.#taken = names;
      return answer;
    } finally {
      this.#announced.delete(names);
      await this.#removeUnused();
    }
  }

  async #removeUnused(): Promise<void> {
    const used = [this.#taken, ...this.#announced];
    const unused = this.#sessions.names.filter((name) => used.every((names) => !names.has(name)));
    await Promise.all(unused.map((name) => this.#sessions.remove(name)));
  }
}
