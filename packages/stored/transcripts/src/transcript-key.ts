import type { SessionKey } from '@hexagent/ports';

const ending = '.jsonl';

/**
 * The key of a transcript, by the end of its path: `projects/KEY/SESSION.jsonl`, or `projects/KEY/SESSION/SUBPATH.jsonl`
 * for one that belongs to a session. What is before that does not matter: the agent's home may be on another machine,
 * or be another one than this process has. `undefined` for any other path.
 */
export function keyOfTranscript(path: string): SessionKey | undefined {
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
