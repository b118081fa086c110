import { isRecord } from '@hexagent/checks';
import { parseJson } from './parse-json.ts';
import type { Redaction } from './tape-entry.ts';
import { beginnings, fields, mark, withoutShapes } from './secret-shapes.ts';

/**
 * Receives each text that is about to be put on a tape, with its path in the entry, such as `in.message.content.0.text`, after
 * the default redaction. What it returns is put there instead.
 */
export type Redact = (value: string, path: string) => string;

/** `false` redacts nothing. A function is called beside the default redaction. */
export type RedactOption = false | Redact | undefined;

export interface Redacted<T> {
  readonly value: T;
  readonly redacted: readonly Redaction[];
}

/** Variables whose values say nothing that must be kept secret. */
const plainVariable =
  /^(?:PATH|HOME|PWD|USER|LOGNAME|SHELL|TERM|LANG|LANGUAGE|TZ|TMPDIR|TEMP|TMP|NODE_ENV|CI|NO_COLOR|FORCE_COLOR|CLAUDE_CONFIG_DIR|CLAUDECODE|CLAUDE_CODE_ENTRYPOINT|CLAUDE_AGENT_SDK_VERSION|CLAUDE_CODE_(?:USE|DISABLE|ENABLE|MAX)_\w+|ANTHROPIC_BASE_URL|ANTHROPIC_(?:DEFAULT_\w+_|SMALL_FAST_)?MODEL|DISABLE_\w+|TRACEPARENT|TRACESTATE|LC_\w+|XDG_\w+)$/;
const plainHeader = /^(?:accept|accept-\w+|content-type|content-length|user-agent|host|connection|anthropic-\w+)$/i;
/** Compared without dashes, underscores and capitals. */
const secretField =
  /^(?:(?:proxy|x)?(?:authorization|apikey|authtoken)|\w*(?:password|passwd|secret|clientsecret|accesstoken|refreshtoken|idtoken|bearertoken|oauthtoken|privatekey|accesskey|secretkey|sessiontoken)|token|credentials?|cookie|setcookie)$/;
const secretVariable = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL|AUTH|COOKIE/i;
/** A shorter value stands in too many texts by chance. */
const shortestSecret = 8;

/** Takes secrets out of what is about to be recorded of one agent. The values of secret variables are taken out of all that follows. */
export class Redactor {
  readonly #isOff: boolean;
  readonly #own: Redact | undefined;
  readonly #suspicious: RegExp;
  readonly #suspiciousText: RegExp;
  readonly #known: readonly string[];

  constructor(option: RedactOption, env: Readonly<Record<string, string>> = {}) {
    this.#isOff = option === false;
    this.#own = option === false ? undefined : option;
    this.#known = option === false ? [] : secretsIn(env);
    // A secret in a line is written as JSON.
    const inJson = this.#known.map((value) => escaped(JSON.stringify(value).slice(1, -1)));
    this.#suspiciousText = new RegExp([beginnings, ...inJson].join('|'));
    this.#suspicious = new RegExp([beginnings, fields, ...inJson].join('|'));
  }

  /** Whether a text of JSON lines may have something to redact. */
  needs(text: string): boolean {
    return !this.#isOff && (this.#own !== undefined || this.#suspicious.test(text));
  }

  /**
   * The same for partial messages, which have pieces of texts and no fields of a person: all names of fields take twice as long
   * to search for, and a stream has thousands of lines.
   */
  needsOfText(text: string): boolean {
    return !this.#isOff && (this.#own !== undefined || this.#suspiciousText.test(text));
  }

  /** A copy of the value without secrets; the value itself where it has none. */
  redact<T>(value: T, path: string): Redacted<T> {
    if (this.#isOff) return { value, redacted: [] };
    const redacted: Redaction[] = [];
    // The copy has the form of the value: texts are replaced by texts.
    return { value: this.#copy(value, { path, name: path, redacted }) as T, redacted };
  }

  #copy(value: unknown, place: Place): unknown {
    if (typeof value === 'string') return this.#text(value, place);
    if (Array.isArray(value)) {
      const copy = value.map((item, index) => this.#copy(item, below(place, String(index))));
      return copy.some((item, index) => item !== value[index]) ? copy : value;
    }
    if (!isRecord(value)) return value;
    const copy = Object.entries(value).map(([name, field]) => [name, this.#field(name, field, place)] as const);
    return copy.some(([name, field]) => field !== value[name]) ? Object.fromEntries(copy) : value;
  }

  #field(name: string, value: unknown, place: Place): unknown {
    const inner = below(place, name);
    const what = typeof value === 'string' && value !== '' ? whyHidden(name, place.name) : undefined;
    return what === undefined ? this.#copy(value, inner) : note(inner, what, mark);
  }

  #text(value: string, place: Place): string {
    const known = this.#known.reduce((text, secret) => text.replaceAll(secret, mark), value);
    if (known !== value) note(place, 'known secret', known);
    const plain = this.#structured(known, place) ?? this.#unshaped(known, place);
    const own = this.#own?.(plain, place.path) ?? plain;
    return own === plain ? plain : note(place, 'by the program', own);
  }

  /** A text that is an object as JSON, such as a file of settings, is redacted like one. */
  #structured(text: string, place: Place): string | undefined {
    if (!text.startsWith('{') || !this.#suspicious.test(text)) return undefined;
    const parsed = parseJson(text);
    if (!isRecord(parsed)) return undefined;
    const copy = this.#copy(parsed, place);
    return copy === parsed ? text : JSON.stringify(copy);
  }

  #unshaped(text: string, place: Place): string {
    const unshaped = withoutShapes(text);
    return unshaped === text ? text : note(place, 'shape of a secret', unshaped);
  }
}

/** The values of the variables that are named like secrets. */
function secretsIn(env: Readonly<Record<string, string>>): readonly string[] {
  const secrets = Object.entries(env).filter(
    ([name, value]) => secretVariable.test(name) && !plainVariable.test(name) && value.length >= shortestSecret,
  );
  // The longest first: where one begins with another, the rest of it would stay.
  return [...new Set(secrets.map(([, value]) => value))].toSorted((one, other) => other.length - one.length);
}

/** Where a value is, and the list of what was taken out. */
interface Place {
  readonly path: string;
  /** The last part of the path. */
  readonly name: string;
  readonly redacted: Redaction[];
}

const below = ({ path, redacted }: Place, name: string): Place => ({ path: `${path}.${name}`, name, redacted });

function note<T>({ path, redacted }: Place, what: Redaction['what'], replacement: T): T {
  redacted.push({ path, what });
  return replacement;
}

function whyHidden(name: string, parent: string): Redaction['what'] | undefined {
  if (parent === 'env') return plainVariable.test(name) ? undefined : 'variable';
  if (parent === 'headers') return plainHeader.test(name) ? undefined : 'header';
  return secretField.test(name.replaceAll(/[-_]/g, '').toLowerCase()) ? 'field' : undefined;
}

const escaped = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
