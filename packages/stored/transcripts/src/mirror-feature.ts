import { isRecord, shown } from '@hexagent/checks';
import type {
  AgentMessage,
  FeatureControl,
  Ids,
  SessionFeature,
  SessionKey,
  SessionStoreEntry,
  TranscriptMirrorFrame,
  Uuid,
} from '@hexagent/ports';
import { Mirror, type MirrorOptions } from './mirror.ts';

export interface MirrorFeatureOptions extends Pick<MirrorOptions, 'store' | 'clock'> {
  /** When the store is given what the agent wrote: together before each result, or each part at once. Default `batched`. */
  readonly flush?: 'batched' | 'eager' | undefined;
  readonly ids: Pick<Ids, 'uuid'>;
}

/** A minute for what hangs, and some seconds for what is repeated. */
const exitingMs = 65_000;

/**
 * Keeps the transcript of a conversation in a store too. A result is delivered when everything before it is stored, or
 * was given up; of that the program receives `mirror_error`, and the agent works on. Where the store rejects with `LEASE_LOST`, the
 * agent is ended instead: what it does from then on is done by another agent, too.
 */
export function mirrorFeature({ store, flush = 'batched', clock, ids }: MirrorFeatureOptions): SessionFeature {
  let control: FeatureControl | undefined;
  const failed = (key: SessionKey, error: string): void => {
    const message = `The session store failed, and a part of the transcript of ${key.sessionId} is not in it: ${error}`;
    control?.warn({ code: 'HEXAGENT_NOT_STORED', source: 'session store', message });
    control?.deliver?.({
      type: 'system',
      subtype: 'mirror_error',
      error,
      key,
      uuid: ids.uuid() as Uuid, // as `Ids` promises
      session_id: key.sessionId,
    });
  };
  const lost = (error: Error): void => control?.suspend?.(error);
  const mirror = new Mirror({ store, clock, isEager: flush === 'eager', failed, lost });
  const add = ({ filePath, entries }: TranscriptMirrorFrame, bytes: number): Promise<void> | undefined => {
    // A frame that fails its check is received all the same.
    const key = typeof filePath === 'string' ? keyOfTranscript(filePath) : undefined;
    if (key !== undefined && Array.isArray(entries)) return mirror.add(key, entries.filter(isEntry), bytes);
    control?.warn({
      code: 'HEXAGENT_NOT_STORED',
      source: 'session store',
      message: `The session store was not given a part of a transcript: ${shown(filePath)} is the path of no transcript, or nothing was in the part.`,
    });
    return undefined;
  };
  return {
    name: 'session store',
    launch: { sessionMirror: true },
    attach: (given) => void (control = given),
    receive(message, bytes = 0) {
      if (isMirrorFrame(message)) return add(message, bytes);
      return message.type === 'result' ? mirror.flush() : undefined;
    },
    exitingMs,
    exiting: () => mirror.flush(),
  };
}

/** Checked at run time, since a message of a newer type may have any text as its `type`. */
function isMirrorFrame(message: AgentMessage | TranscriptMirrorFrame): message is TranscriptMirrorFrame {
  return message.type === 'transcript_mirror';
}

/** The agent's own lines; what is not an object is none. */
function isEntry(value: unknown): value is SessionStoreEntry {
  return isRecord(value);
}

const ending = '.jsonl';

/**
 * The key of a transcript, by the end of its path: `projects/KEY/SESSION.jsonl`, or `projects/KEY/SESSION/SUBPATH.jsonl`
 * for one that belongs to a session. What is before that does not matter: the agent's home may be on another machine,
 * or be another one than this process has. `undefined` for any other path.
 */
function keyOfTranscript(path: string): SessionKey | undefined {
  const names = path.split(/[/\\]/);
  // The last folder of that name, since a home may lie in another one.
  const projects = names.lastIndexOf('projects', names.length - 3);
  const [projectKey = '', session = '', ...rest] = names.slice(projects + 1);
  if (projects === -1 || [projectKey, session, ...rest].some(isNoName)) return undefined;
  if (rest.length > 0) return { projectKey, sessionId: session, subpath: withoutEnding(rest.join('/')) };
  return session.endsWith(ending) ? { projectKey, sessionId: withoutEnding(session) } : undefined;
}

const withoutEnding = (name: string): string => (name.endsWith(ending) ? name.slice(0, -ending.length) : name);

const isNoName = (name: string): boolean => name === '' || name === '.' || name === '..' || name === ending;
