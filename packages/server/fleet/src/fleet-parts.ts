import type { ChatCaller, ChatDoor, Clock, LeaseStore, SessionDirectory, Worker } from '@hexagent/ports';
import type { Placement } from './place.ts';

export interface FleetParts {
  readonly leases: Pick<LeaseStore, 'where' | 'workers'>;
  readonly directory: Pick<SessionDirectory, 'get'>;
  /** The key of a chat in the stores. */
  readonly keyOf: (chatId: string, caller: ChatCaller) => string;
  /** The chats of a worker, whose calls reject with `WORKER_UNREACHABLE` where it is not reached. */
  readonly reach: (worker: Worker) => ChatDoor;
  /** Default: `place`. */
  readonly place?: Placement | undefined;
  readonly clock: Clock;
  /** After how long a call is given up that no worker answers: long enough for another worker to take over. */
  readonly giveUpAfterMs: number;
  /** After how long a stream is silent, and it is looked up who drives its chat. Default 3000. */
  readonly silentAfterMs?: number | undefined;
}
