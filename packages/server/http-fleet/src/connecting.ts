import { Agent, type AgentOptions } from 'node:https';
import type { Socket } from 'node:net';
import { after } from './timer.ts';

/** A handshake takes milliseconds of both processes. Of a thousand readers that come back at once, all would be too late. */
const atOnce = 32;

type Connect = (
  options: { host?: string; port?: number },
  made: (error: Error | null, socket: Socket) => void,
) => Socket | undefined;

/** The connections to one place that are being made, and those that wait for their turn. */
interface Queue {
  connecting: number;
  readonly waiting: (() => void)[];
}

/** An agent that makes a few connections to a place at a time, each within `connectMs`. */
export function pacedAgent(options: AgentOptions, connectMs: number): Agent {
  const agent = new Agent(options);
  // The types of Node 20 leave it out.
  const connect = (Reflect.get(agent, 'createConnection') as Connect).bind(agent);
  const queues = new Map<string, Queue>();
  const createConnection: Connect = (target, made) => {
    const key = `${target.host} ${target.port}`;
    const queue = queues.get(key) ?? { connecting: 0, waiting: [] };
    queues.set(key, queue);
    const done = (): void => {
      queue.connecting -= 1;
      queue.waiting.shift()?.();
      if (queue.connecting === 0) queues.delete(key);
    };
    const begin = (): void => {
      queue.connecting += 1;
      made(null, limited(connect(target, made) as Socket, connectMs, done)); // it returns one of its own
    };
    if (queue.connecting < atOnce) begin();
    else queue.waiting.push(begin);
    return undefined;
  };
  return Object.assign(agent, { createConnection });
}

/** Destroys a socket that is not secure in time. `done` is called once, when it is or when it has closed. */
function limited(socket: Socket, connectMs: number, done: () => void): Socket {
  const late = new Error(`No connection was made within ${connectMs} ms.`);
  const cancel = after(connectMs, () => socket.destroy(late));
  let isDone = false;
  const settle = (): void => {
    if (isDone) return;
    isDone = true;
    cancel();
    done();
  };
  return socket.once('secureConnect', settle).once('close', settle);
}
