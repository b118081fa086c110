import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pagesOf, proseOf } from './pages.ts';

/** Turns of phrase that a reader with English as a second language stumbles over, and what is written instead. */
const turnsOfPhrase: readonly (readonly [RegExp, instead: string])[] = [
  [/\b(?:nobody|somebody|whoever|whomever)\b/i, 'the one that acts: the caller, the page, the agent'],
  [
    /\b(?:what|that|which|who) (?:is|are|was|were) (?:none|no (?!longer|more))/i,
    '"anything but X", "not an X", "without an X"',
  ],
  [/\b(?:as|for) none\b/i, '"not an X"'],
  [/\bofficially\b/i, '"in the official package"'],
  [/\b(?:refuses?|refused) what\b/i, '"throws unless"'],
  [/\b(?:counts?|matters?|comes?|goes|holds?|reads?|means?|stays?) not\b/i, 'subject, verb, object'],
  [
    /\b(?:(?:is|are|was|were) told|(?:goes|go|gone|going|went) on|(?:has|have|had) come)\b/i,
    '"is reported", "continues", "has arrived"',
  ],
];

export interface Text {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

const comment = /(?:^|\s)(?:\/\/ (.*)|\/?\*+ (.*))$/;
const title = /(?:\b(?:it|test|describe|with[A-Z]\w*)(?:\.\w+)*|\))\(\s*(?:'([^']*)'|"([^"]*)"|`([^`]*)`),/;

/** A promise of a contract suite, or a case of a table of tests: its name is a part of a title. */
const key = /^\s+(?:async )?'([^']+ [^']+)'(?:\(|:)/;

/** The comments and the titles of tests in code, each on its line. */
export function textsOfCode(file: string, code: string): readonly Text[] {
  return code.split('\n').flatMap((text, index) => {
    const found = [comment.exec(text), title.exec(text), key.exec(text)].flatMap((match) => match?.slice(1) ?? []);
    return found.filter(Boolean).map((each) => ({ file, line: index + 1, text: each }));
  });
}

/** What a reader of the tree reads beside the code: comments, titles, pages. */
export function textsOf(base: string): readonly Text[] {
  const folders = '{packages,examples,e2e,bench,scripts}/**/*.{ts,tsx,mjs}';
  // This guard and its test have what they look for.
  const exclude = (file: string): boolean =>
    /(?:^|\/)(?:node_modules|dist|fixtures|words(?:\.test)?\.ts)(?:\/|$)/.test(file);
  const code = globSync(folders, { cwd: base, exclude }).flatMap((file) =>
    textsOfCode(file.replaceAll('\\', '/'), readFileSync(path.join(base, file), 'utf8')),
  );
  const prose = pagesOf(base).flatMap((page) =>
    proseOf(page)
      .split('\n')
      .map((text, index) => ({ file: page.file, line: index + 1, text })),
  );
  return [...code, ...prose];
}

const withoutCode = (text: string): string => text.replaceAll(/`[^`]*`/g, '``');

/** Those with a turn of phrase that is not used here, in the form `file:line text (instead)`. */
export function strangeIn(texts: readonly Text[]): readonly string[] {
  return texts.flatMap(({ file, line, text }) =>
    turnsOfPhrase
      .filter(([turn]) => turn.test(withoutCode(text)))
      .map(([, instead]) => `${file}:${line} ${text.trim()} (write ${instead})`),
  );
}
