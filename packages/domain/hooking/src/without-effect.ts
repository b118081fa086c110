import { meantTool, shown, wrongCapitals } from '@hexagent/checks';
import type { HookMatcherRegistration, HookRegistration } from '@hexagent/ports';
import { factsOf, isAboutTools } from './events.ts';
import { matchesAny, readMatcher } from './matchers.ts';
import { wrongWithMatcher } from './wrong-matchers.ts';

/** A registration that the CLI does not follow, and what to do about it. */
export interface WithoutEffect {
  readonly event: string;
  readonly message: string;
}

/** The registrations without an effect that the CLI accepts without a warning. Each event is named once. */
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

/** Matchers with a misspelt tool. Called once the agent has listed its tools, since a newer agent may have other tools. */
export function misspeltMatchers(registration: HookRegistration, listed: readonly string[]): readonly WithoutEffect[] {
  return Object.entries(registration).flatMap(([event, matchers]) => {
    if (!isAboutTools(event)) return [];
    const read = matchers.map(({ matcher = '' }) => readMatcher(matcher));
    const names = new Set(read.flatMap((matcher) => (matcher.kind === 'names' ? matcher.names : [])));
    return [...names].flatMap((name): readonly WithoutEffect[] => {
      // Other capitals are reported before.
      const isOther = !/^mcp__/i.test(name) && wrongCapitals(name) === undefined;
      const meant = isOther ? meantTool(name, listed) : undefined;
      if (meant === undefined) return [];
      const message = `The matcher of a hook for ${event} names ${shown(name)}, and the agent has no such tool. Did you mean ${shown(meant)}?`;
      return [{ event, message }];
    });
  });
}

/** `FileChanged` has an effect only if another hook returns files to watch. */
function unwatched(event: string, registration: HookRegistration): string | undefined {
  if (event !== 'FileChanged' || registration['SessionStart'] !== undefined) return undefined;
  return 'The CLI calls a hook for FileChanged only for files that a hook for SessionStart named as `watchPaths`, which it calls after /clear and a compaction, and there is none. Watch files by yourself.';
}
