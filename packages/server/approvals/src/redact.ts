import { isRecord } from '@hexagent/checks';

/*
 * The rule is written out in the README, for readers of an audit. It replaces too much rather than too little.
 * No part of a pattern can match without a bound from many places of a text, so that a long text takes no long time.
 */

const redacted = '[redacted]';

/** The ends of names, in small letters and without what is neither letter nor digit. */
const secretEnds: readonly string[] = [
  'password',
  'passwd',
  'passphrase',
  'secret',
  'token',
  'apikey',
  'accesskey',
  'accesskeyid',
  'privatekey',
  'secretkey',
  'authorization',
  'credential',
  'credentials',
  'cookie',
];

const names =
  'pass(?:word|wd|phrase)|secret|token|(?:api|access|private|secret)[_-]?key(?:[_-]?id)?|authorization|credentials?|cookie|_pwd';
/** Also names of options, where no other word is meant by them. */
const optionNames = `${names}|pass(?:in|out|code)?|pwd`;
const value = String.raw`(?:"[^"\n]{0,4096}"|'[^'\n]{0,4096}'|["']?[^\s"'&;,|)]+)`;

const patterns: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g, redacted],
  [
    /(?<![\w-])(?:sk-[\w-]{16,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{10,}|A[KS]IA[0-9A-Z]{16}|AIza[\w-]{30,}|npm_\w{30,}|eyJ[\w-]{10,}\.[\w-]{10,}(?:\.[\w-]*)?)/g,
    redacted,
  ],
  [/((?:bearer|basic)[ \t]{1,3})[\w.~+/=-]{16,}/gi, `$1${redacted}`],
  [/((?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@]{0,256}:)[^\s/@]{1,1024}(?=@)/gi, `$1${redacted}`],
  [/((?<!\S)(?:-u[ \t]{0,3}|--user[ \t=]{1,3})["']?[^\s:"']{1,128}:)[^\s"']+/g, `$1${redacted}`],
  [
    new RegExp(
      String.raw`((?:${names})["']?[ \t]{0,3}[=:][ \t]{0,3}(?:(?:bearer|basic|token)[ \t]{1,3})?)${value}`,
      'gi',
    ),
    `$1${redacted}`,
  ],
  [new RegExp(String.raw`(--?(?:\w{1,32}-){0,4}(?:${optionNames})(?:[ \t]{1,3}|=))${value}`, 'gi'), `$1${redacted}`],
];

/** A copy in which secrets are replaced, as far as the rule finds them. */
export function redact(given: unknown): unknown {
  if (typeof given === 'string') return redactText(given);
  if (Array.isArray(given)) return given.map(redact);
  if (!isRecord(given)) return given;
  return Object.fromEntries(
    Object.entries(given).map(([name, member]) => [
      redactText(name),
      isSecretName(name) ? redactAll(member) : redact(member),
    ]),
  );
}

export function redactText(text: string): string {
  return patterns.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text);
}

function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  // The folders of a shell are in `PWD` and `OLDPWD`.
  if (plain.endsWith('pwd')) return plain !== 'pwd' && plain !== 'oldpwd';
  return secretEnds.some((end) => plain.endsWith(end));
}

/** What a secret name holds: texts and lists of them. Numbers and switches are kept, such as a limit of tokens. */
function redactAll(member: unknown): unknown {
  if (typeof member === 'string') return redacted;
  if (Array.isArray(member)) return member.map(redactAll);
  if (!isRecord(member)) return member;
  return Object.fromEntries(Object.entries(member).map(([name, inner]) => [name, redactAll(inner)]));
}
