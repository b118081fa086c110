import type { JsonRpcMessage, McpClientSide } from '@hexagent/ports';

/** How many notifications may wait for an agent: a server can send them without end. */
const maxUnread = 1000;

/** The notifications for one agent. */
export class Announcements {
  readonly #client: McpClientSide;
  readonly #server: string;
  /** How many the agent has not confirmed. */
  #unread = 0;
  readonly #postponed = new Set<string>();
  #hasLost = false;

  constructor(client: McpClientSide, server: string) {
    this.#client = client;
    this.#server = server;
  }

  send(notification: JsonRpcMessage): void {
    if (this.#unread >= maxUnread) return this.#postpone(notification);
    this.#unread += 1;
    const read = (): void => {
      this.#unread -= 1;
      if (this.#unread === 0) this.#catchUp();
    };
    // An agent that has exited needs no notification.
    this.#client.send(notification).then(read, read);
  }

  /** That a list has changed is reported once, when the agent has read the rest. The others are dropped. */
  #postpone({ method = '' }: JsonRpcMessage): void {
    if (method.endsWith('/list_changed')) this.#postponed.add(method);
    else if (!this.#hasLost) {
      this.#hasLost = true;
      this.#client.mistaken?.(
        `The MCP server ${this.#server} sends notifications faster than the agent reads them. Beyond ${maxUnread} they are dropped.`,
      );
    }
  }

  #catchUp(): void {
    const methods = [...this.#postponed];
    this.#postponed.clear();
    for (const method of methods) this.send({ jsonrpc: '2.0', method });
  }
}
