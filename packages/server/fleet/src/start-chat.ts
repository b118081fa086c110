import type { ChatStart } from '@hexagent/ports';
import type { Act, WorkerSearch } from './worker-search.ts';

/** How often a message that a worker has stored for another one is looked for there. */
const mostLooks = 4;

/** Sends a message to the worker of its chat. Where another worker took it, looks for its turn, whose stream the page waits for. */
export async function startChat(search: WorkerSearch, send: Act<ChatStart>): Promise<ChatStart> {
  const first = await search.ask(send, { besideHolder: true, isFull: ({ kind }) => kind === 'full', late: discard });
  // A worker that did it, and whose answer was lost, did not make the message one that the page sent twice.
  if (first.kind === 'duplicate' && first.stream === undefined && search.mayBeDone) return { kind: 'elsewhere' };
  if (first.kind !== 'elsewhere') return first;
  search.forgetWorkers();
  try {
    return (await findTurn(search, send)) ?? first;
  } catch {
    // It is stored, whatever the workers answer now.
    return first;
  }
}

async function findTurn(search: WorkerSearch, send: Act<ChatStart>): Promise<ChatStart | undefined> {
  for (let look = 0; look < mostLooks; look += 1) {
    if (look > 0) await search.pause();
    const answer = await search.ask(send, { isTriedOnce: true, late: discard });
    if ('stream' in answer && answer.stream !== undefined) return answer;
    if (answer.kind !== 'elsewhere') return undefined;
  }
  return undefined;
}

function discard(started: ChatStart): void {
  if ('stream' in started) started.stream?.body.cancel().catch(() => {});
}
