import { isRecord } from '@hexagent/checks';
import type {
  EntryHead,
  ListStoredSessions,
  OutlineRequest,
  SessionTranscript,
  StoredSession,
  TranscriptEntry,
} from '@hexagent/ports';
import { beginningOf } from './first-prompt.ts';
import { foldSessionSummary } from './fold-session-summary.ts';

const outlineRequest: OutlineRequest = {
  isEnough: (entry) => beginningOf(entry).prompt !== undefined,
  newest: ['ai-title', 'custom-title', 'last-prompt', 'summary', 'tag'],
};

/** How programs are called that open sessions, and kinds of sessions that belong to no terminal. */
const programs: ReadonlySet<unknown> = new Set(['sdk-cli', 'sdk-ts', 'sdk-py']);
const daemons: ReadonlySet<unknown> = new Set(['daemon', 'daemon-worker']);

/** What a list shows of a session; `undefined` where it has no name to show, or is filtered out. */
export async function outlineOf(
  transcript: SessionTranscript,
  { includeProgrammatic = true }: Pick<ListStoredSessions, 'includeProgrammatic'> = {},
): Promise<StoredSession | undefined> {
  const { summary } = transcript;
  if (summary !== undefined) return summary['isSidechain'] === true ? undefined : storedSession(transcript, summary);
  const { first, newest } = await transcript.outline(outlineRequest);
  if (isSidechain(first) || (!includeProgrammatic && isProgrammatic(first))) return undefined;
  const session = storedSession(transcript, factsOf(transcript, { first, newest }), mediaOf(first));
  if (session === undefined || (session.cwd !== undefined && !transcript.belongsTo(session.cwd))) return undefined;
  const archived = await isArchived(transcript);
  return archived === undefined ? session : { ...session, archived };
}

/** The title that a copy is named after: of a person, of the agent, or the first prompt, also where a list does not show it. */
export async function nameOf(transcript: SessionTranscript): Promise<string | undefined> {
  const { summary } = transcript;
  const data = summary ?? factsOf(transcript, await transcript.outline(outlineRequest));
  const { customTitle, firstPrompt } = storedSession(transcript, data, '') ?? {};
  return customTitle ?? firstPrompt;
}

function factsOf(
  { sessionId }: SessionTranscript,
  { first, newest }: Awaited<ReturnType<SessionTranscript['outline']>>,
): Readonly<Record<string, unknown>> {
  return foldSessionSummary(undefined, { projectKey: '', sessionId }, [...first, ...newest]).data;
}

/**
 * A session as a list shows it.
 * @param data what was folded of its entries
 * @param fallback the title of a session without any text
 */
export function storedSession(
  {
    sessionId,
    lastModified,
    fileSize,
    dir,
  }: Pick<SessionTranscript, 'sessionId' | 'lastModified' | 'fileSize' | 'dir'>,
  data: Readonly<Record<string, unknown>>,
  fallback?: string,
): StoredSession | undefined {
  const text = (name: string): string | undefined => {
    const value = data[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const customTitle = text('customTitle') ?? text('aiTitle');
  const firstPrompt = text('firstPrompt') ?? text('commandFallback');
  const summary = customTitle ?? text('lastPrompt') ?? text('summaryHint') ?? firstPrompt ?? fallback;
  if (summary === undefined) return undefined;
  const { createdAt } = data;
  const fields = {
    fileSize,
    customTitle,
    firstPrompt,
    gitBranch: text('gitBranch'),
    cwd: text('cwd') ?? dir,
    tag: text('tag'),
    createdAt: typeof createdAt === 'number' ? createdAt : undefined,
  };
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return { sessionId, summary, lastModified, ...Object.fromEntries(given) };
}

/** Transcripts of subagents that older agents stored among the sessions. */
const isSidechain = ([first]: readonly TranscriptEntry[]): boolean => first?.['isSidechain'] === true;

function isProgrammatic(entries: readonly TranscriptEntry[]): boolean {
  const opened = entries.find(({ entrypoint, sessionKind }) => entrypoint !== undefined || sessionKind !== undefined);
  return programs.has(opened?.['entrypoint']) || daemons.has(opened?.['sessionKind']);
}

/** A session may begin with a picture and no words. */
function mediaOf(entries: readonly TranscriptEntry[]): string | undefined {
  for (const { type, isMeta, message } of entries) {
    const content = type === 'user' && isMeta !== true && isRecord(message) ? message['content'] : undefined;
    const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
    const kinds = blocks.map((block) => (isRecord(block) ? block['type'] : undefined));
    // What a tool returned was not asked by a person.
    if (kinds.includes('tool_result')) continue;
    if (kinds.includes('image')) return 'Image';
    if (kinds.includes('document')) return 'Document';
  }
  return undefined;
}

/** A prompt later than the mark removes it. */
async function isArchived(transcript: SessionTranscript): Promise<boolean | undefined> {
  const mark = await transcript.archiveMark();
  if (mark === undefined) return undefined;
  // What was not written since the mark need not be read; the clock of a file is as exact as that of the mark.
  if (!mark.isArchived || transcript.lastModified < mark.at) return mark.isArchived;
  const { heads } = await transcript.index();
  return !heads.some((head) => isPrompt(head) && Date.parse(head.timestamp ?? '') > mark.at);
}

const isPrompt = ({ type, isMeta, isSidechain, toolUseIds }: EntryHead): boolean =>
  type === 'user' && !isMeta && !isSidechain && toolUseIds.length === 0;
