type Token = { readonly kind: 'star' } | { readonly kind: 'one'; readonly matches: (character: string) => boolean };

/** A pattern of a rule, read once: `*` stands for any text. */
export interface Glob {
  readonly tokens: readonly Token[];
  /** The pattern itself where it has no wildcard. */
  readonly literal: string | undefined;
}

const star: Token = { kind: 'star' };

/** `*` alone is a wildcard. `\*` is a star. Case-insensitive: `RM` runs `rm` where file names have no case. */
export function commandGlob(pattern: string): Glob {
  const tokens: Token[] = [];
  let literal: string | undefined = '';
  for (let at = 0; at < pattern.length; at += 1) {
    const isEscaped = pattern[at] === '\\' && pattern[at + 1] === '*';
    if (isEscaped) at += 1;
    const character = pattern[at] ?? '';
    if (character === '*' && !isEscaped) {
      if (tokens.at(-1) !== star) tokens.push(star);
      literal = undefined;
    } else {
      tokens.push(exactly(character.toLowerCase()));
      if (literal !== undefined) literal += character.toLowerCase();
    }
  }
  return { tokens, literal };
}

/** The form in which names of files are compared. */
export const plainName = (name: string): string => name.toLowerCase().normalize('NFC');

/** One segment of a path, as in `.gitignore`: `*`, `?` and `[a-z]`. */
export function segmentGlob(pattern: string): Glob {
  const tokens: Token[] = [];
  const text = plainName(pattern);
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    const end = character === '[' ? text.indexOf(']', at + 2) : -1;
    if (character === '*') {
      if (tokens.at(-1) !== star) tokens.push(star);
    } else if (character === '?') tokens.push({ kind: 'one', matches: () => true });
    else if (end !== -1) {
      tokens.push({ kind: 'one', matches: classOf(text.slice(at + 1, end)) });
      at = end;
    } else if (character === '\\' && at + 1 < text.length) {
      at += 1;
      tokens.push(exactly(text[at] ?? ''));
    } else tokens.push(exactly(character));
  }
  return { tokens, literal: /[*?[\\]/.test(text) ? undefined : text };
}

const exactly = (wanted: string): Token => ({ kind: 'one', matches: (character) => character === wanted });

function classOf(members: string): (character: string) => boolean {
  const isNegated = /^[!^]/.test(members);
  const listed = isNegated ? members.slice(1) : members;
  return (character) => isListed(listed, character) !== isNegated;
}

function isListed(members: string, character: string): boolean {
  for (let at = 0; at < members.length; at += 1) {
    const [first = '', dash, last] = members.slice(at, at + 3);
    if (dash === '-' && last !== undefined) {
      if (character >= first && character <= last) return true;
      at += 2;
    } else if (character === first) return true;
  }
  return false;
}

/** Whether the whole text, in lower case, matches the pattern. Takes time in proportion to their lengths. */
export function matchesGlob({ tokens, literal }: Glob, text: string): boolean {
  if (literal !== undefined) return literal === text;
  let [token, at, lastStar, retryAt] = [0, 0, -1, 0];
  while (at < text.length) {
    const wanted = tokens[token];
    if (wanted?.kind === 'one' && wanted.matches(text[at] ?? '')) [token, at] = [token + 1, at + 1];
    else if (wanted?.kind === 'star') [lastStar, retryAt, token] = [token, at, token + 1];
    else if (lastStar !== -1) [token, retryAt, at] = [lastStar + 1, retryAt + 1, retryAt + 1];
    else return false;
  }
  while (tokens[token]?.kind === 'star') token += 1;
  return token === tokens.length;
}
