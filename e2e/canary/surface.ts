import path from 'node:path';
import { inspect } from 'node:util';
import { errorText } from '@hexagent/checks';
import ts from 'typescript-6';
import type { Installed } from './install.ts';

/** What changed, as lines to print: `+` came, `-` went, `~` is another. */
export function entryChanges(before: Installed, after: Installed): readonly string[] {
  const kinds = ({ exports }: Installed): ReadonlyMap<string, string> =>
    new Map(Object.entries(exports).map(([entry, target]) => [entry, Object.keys(target).toSorted().join(', ')]));
  return changes(kinds(before), kinds(after));
}

/** The names at run time, and the values of constants. */
export async function nameChanges(before: Installed, after: Installed): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const entry of Object.keys(after.exports).filter((name) => name in before.exports)) {
    const was = await before.load(entry);
    const is = await after.load(entry).catch((error: unknown) => errorText(error));
    if (typeof is === 'string') {
      lines.push(`! ${entry} cannot be loaded: ${is}`);
      continue;
    }
    const found = changes(namesOf(was), namesOf(is));
    lines.push(...found.map((line) => line.replace(/^([-+~] )/u, `$1${entry} `)));
  }
  return lines;
}

/** Each name with what it stands for; a list with an item on each line, so that one that came or went is seen. */
function namesOf(module: Readonly<Record<string, unknown>> | undefined): ReadonlyMap<string, string> {
  const textOf = (value: unknown): string => inspect(value, { depth: 4, maxArrayLength: null, breakLength: Infinity });
  const names = Object.entries(module ?? {}).map(([name, value]): [string, string] => {
    if (typeof value === 'function') return [name, 'a function'];
    return [name, Array.isArray(value) ? value.map(textOf).join('\n') : textOf(value)];
  });
  return new Map(names);
}

/** Every declaration with a name, the one of `Options` first: an option that came or went is a line of it. */
export const typeChanges = (before: Installed, after: Installed): readonly string[] =>
  changes(declarationsOf(before), declarationsOf(after));

/** The names of what is declared. */
export const declaredNames = (version: Installed): readonly string[] => [...declarationsOf(version).keys()];

const printer = ts.createPrinter({ removeComments: true });

/** What the files of the types declare at their top level, exported or not, without comments. */
function declarationsOf({ folder, exports }: Installed): ReadonlyMap<string, string> {
  const entries = Object.values(exports).flatMap(({ types }) =>
    types === undefined ? [] : [path.join(folder, types)],
  );
  const program = ts.createProgram(entries, { module: ts.ModuleKind.NodeNext, skipLibCheck: true, types: [] });
  program.getTypeChecker(); // by it nodes get their parents, without which the printer writes other quotes
  const sources = program
    .getSourceFiles()
    .filter(({ fileName }) => path.resolve(fileName).startsWith(folder + path.sep));
  const texts = sources.flatMap((source) =>
    source.statements.map((node) => printer.printNode(ts.EmitHint.Unspecified, node, source)),
  );
  const named = texts.flatMap((text): readonly (readonly [string, string])[] => {
    const name = /\b(?:type|interface|class|function|const) (?<name>\w+)/u.exec(text)?.groups?.['name'];
    return name === undefined ? [] : [[name, text]];
  });
  return new Map(named.toSorted(([one], [other]) => rank(one) - rank(other)));
}

const rank = (name: string): number => (name === 'Options' ? 0 : name === 'Query' ? 1 : 2);

function changes(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  const gone = [...before.keys()].filter((name) => !after.has(name)).map((name) => `- ${name}`);
  const come = [...after.keys()].filter((name) => !before.has(name)).map((name) => `+ ${name}`);
  const other = [...after].flatMap(([name, is]) => {
    const was = before.get(name);
    return was === undefined || was === is ? [] : [`~ ${name}`, ...lineChanges(was, is)];
  });
  return [...gone, ...come, ...other];
}

function lineChanges(was: string, is: string): readonly string[] {
  // A union is a line, and may have a hundred members.
  const [old, now] = [was.split(/\n| \| | = /u), is.split(/\n| \| | = /u)];
  return [
    ...old.filter((line) => !now.includes(line)).map((line) => `    - ${shorten(line)}`),
    ...now.filter((line) => !old.includes(line)).map((line) => `    + ${shorten(line)}`),
  ];
}

const shorten = (line: string): string => (line.length > 300 ? `${line.trim().slice(0, 300)}…` : line.trim());

/** The options of a version, by the names in its types. */
export function optionsOf(version: Installed): readonly string[] {
  const text = declarationsOf(version).get('Options') ?? '';
  return [...text.matchAll(/^ {4}(?<name>\w+)\??:/gmu)].map(({ groups }) => groups?.['name'] ?? '');
}
