import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** A line of the wire, parsed. */
export type WireFrame = Readonly<Record<string, unknown>>;

/** How the stand-in was started. */
export interface Started {
  readonly pid: number;
  readonly args: readonly string[];
  /** What the files hold that the arguments name, by path. */
  readonly files: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** What happens at one running stand-in. */
export interface AgentEvents {
  /** A line that was written to it. */
  frame?(frame: WireFrame): void;
  /** Its input was closed. */
  inputEnded?(): void;
}

/** One running stand-in, as its behaviour controls it. */
export interface Agent extends Started {
  /** Everything it has read so far. */
  readonly received: readonly WireFrame[];
  listen(events: AgentEvents): void;
  /** Writes one frame, or a raw line with its ending, to its output. */
  write(frame: WireFrame | string): void;
  stderr(text: string): void;
  exit(code: number): void;
  kill(signal: NodeJS.Signals): void;
}

/** What a stand-in does, called when it has started. */
export type Behaviour = (agent: Agent) => void;

/** A program to run in place of the CLI. It is a process of its own; what it does is decided here. */
export class StandIn implements AsyncDisposable {
  /** To be passed as `pathToClaudeCodeExecutable`. */
  readonly path: string;
  readonly agents: LiveAgent[] = [];
  readonly #folder: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  static async make(behaviour: Behaviour): Promise<StandIn> {
    const folder = await mkdtemp(join(tmpdir(), 'stand-in-'));
    const server = createServer();
    const standIn = new StandIn(folder, server, behaviour);
    const script = fileURLToPath(new URL('./fixtures/stand-in.mjs', import.meta.url));
    await writeFile(
      standIn.path,
      `#!/bin/sh\nexec '${process.execPath}' '${script}' '${join(folder, 'socket')}' "$@"\n`,
    );
    await chmod(standIn.path, 0o755);
    server.listen(join(folder, 'socket'));
    await once(server, 'listening');
    return standIn;
  }

  private constructor(folder: string, server: Server, behaviour: Behaviour) {
    this.#folder = folder;
    this.#server = server;
    this.path = join(folder, 'claude');
    server.on('connection', (socket) => this.#accept(socket, behaviour));
  }

  /** Resolves when every stand-in has left and all it reported has arrived, or after `boundMs`. */
  async left(boundMs: number): Promise<void> {
    const bound = new AbortController();
    const late = setTimeout(boundMs, undefined, { signal: bound.signal }).catch(() => {});
    await Promise.race([late, Promise.all(this.agents.map(async ({ left }) => await left))]);
    bound.abort();
  }

  /** Ends every stand-in that still runs. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
    await rm(this.#folder, { recursive: true, force: true });
  }

  #accept(socket: Socket, behaviour: Behaviour): void {
    this.#sockets.add(socket);
    // A stand-in that is killed may reset its end.
    socket.on('error', () => {});
    let agent: LiveAgent | undefined;
    createInterface({ input: socket }).on('line', (line) => {
      // Written by the fixture.
      const event = JSON.parse(line) as { started?: Started; line?: string; inputEnded?: true };
      if (event.started !== undefined) {
        agent = new LiveAgent(event.started, socket);
        this.agents.push(agent);
        behaviour(agent);
      }
      if (event.line !== undefined) agent?.receive(event.line);
      if (event.inputEnded === true) agent?.endInput();
    });
  }
}

class LiveAgent implements Agent {
  readonly pid: number;
  readonly args: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly received: WireFrame[] = [];
  isInputEnded = false;
  /** Settles when the process has gone. */
  readonly left: Promise<unknown>;
  readonly #socket: Socket;
  readonly #listeners: AgentEvents[] = [];

  constructor(started: Started, socket: Socket) {
    this.pid = started.pid;
    this.args = started.args;
    this.files = started.files;
    this.env = started.env;
    this.cwd = started.cwd;
    this.#socket = socket;
    this.left = once(socket, 'close');
  }

  listen(events: AgentEvents): void {
    this.#listeners.push(events);
  }

  receive(line: string): void {
    // A line that is not an object is compared as it is.
    const frame: WireFrame = parse(line);
    this.received.push(frame);
    for (const listener of this.#listeners) listener.frame?.(frame);
  }

  endInput(): void {
    this.isInputEnded = true;
    for (const listener of this.#listeners) listener.inputEnded?.();
  }

  write(frame: WireFrame | string): void {
    this.#command({ write: typeof frame === 'string' ? frame : `${JSON.stringify(frame)}\n` });
  }

  stderr(text: string): void {
    this.#command({ stderr: text });
  }

  exit(code: number): void {
    this.#command({ exit: code });
  }

  kill(signal: NodeJS.Signals): void {
    this.#command({ kill: signal });
  }

  #command(command: Readonly<Record<string, unknown>>): void {
    if (!this.#socket.destroyed) this.#socket.write(`${JSON.stringify(command)}\n`);
  }
}

function parse(line: string): WireFrame {
  try {
    return JSON.parse(line) as WireFrame;
  } catch {
    return { unparsed: line };
  }
}
