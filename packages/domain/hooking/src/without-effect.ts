import type { HookMatcherRegistration, HookRegistration } from '@hexagent/ports';
import { factsOf } from './events.ts';
import { matchesAny } from './matchers.ts';
import { wrongWithMatcher } from './wrong-matchers.ts';

/** A registration that the CLI does not follow, and what to do about it. */
export interface WithoutEffect {
  readonly event: string;
  readonly message: string;
}

/** The registrations of which the CLI would not say that they come to nothing. Each event is named once. */
export function withoutEffect(registration: HookRegistration): readonly WithoutEffect[] {
  return Object.entries(registration).flatMap(([event, matchers]): readonly WithoutEffect[] => {
    const message = wrongMatcherIn(event, matchers) ?? missingFor(event, matchers) ?? unwatched(event, registration);
    return message === undefined ? [] : [{ event, message }];
  });
}

function wrongMatcherIn(event: string, matchers: readonly HookMatcherRegistration[]): string | undefined {
  for (const { matcher = '' } of matchers) {
    const wrong = wrongWithMatcher(event, matcher);
    if (wrong !== undefined) return `The matcher of a hook for ${event} ${wrong}`;
  }
  return undefined;
}

function missingFor(event: string, matchers: readonly HookMatcherRegistration[]): string | undefined {
  const missing = factsOf(event)?.missing;
  if (missing === undefined) return undefined;
  const { values, when, instead } = missing;
  if (values !== undefined && !matchers.some(({ matcher }) => matchesAny(matcher, values))) return undefined;
  return `The CLI does not call a hook for ${event} ${when}. ${instead}.`;
}

/** Which files are watched, only the answers of other hooks say. */
function unwatched(event: string, registration: HookRegistration): string | undefined {
  if (event !== 'FileChanged' || registration['SessionStart'] !== undefined) return undefined;
  return 'The CLI calls a hook for FileChanged only for files that a hook for SessionStart named as `watchPaths`, which it calls after /clear and a compaction, and there is none. Watch files by yourself.';
}
