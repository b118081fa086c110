import { commandGlob, matchesGlob, type Glob } from './glob.ts';

const form = /^[a-z0-9*-]+(?:\.[a-z0-9*-]+)*\.?$/i;

/** The content of a rule such as `WebFetch(domain:example.com)`; `undefined` for a rule that names no domain. */
export function domainPattern(content: string): Glob | undefined {
  const domain = /^domain:(.*)$/s.exec(content)?.[1];
  return domain === undefined || !form.test(domain) ? undefined : commandGlob(withoutDot(domain));
}

/** The server of an address; `undefined` for what is not an address. */
export function domainOf(url: unknown): string | undefined {
  if (typeof url !== 'string') return undefined;
  try {
    return withoutDot(new URL(url).hostname.toLowerCase());
  } catch {
    return undefined;
  }
}

export function isDomain(pattern: Glob, domain: string): boolean {
  return matchesGlob(pattern, domain);
}

/** A name with a dot at its end is the same name. */
const withoutDot = (domain: string): string => domain.replace(/\.$/, '');
