import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { officialNames } from '../../e2e/types/official-names.ts';
import { root } from '../workspace.mjs';

/** What has one meaning at both doors. */
const shared = ['AbortError', 'AnyZodRawShape', 'HookEvent', 'InferShape', 'SdkMcpToolDefinition', 'TerminalReason'];

/** Names of ours at the door of the drop-in, which the official package has not. */
const added = ['OwnOptions', 'createQuery'];

/** What the official package exports at run time without a type. */
const untyped = [
  'CommandMatcher',
  'DirectConnectError',
  'DirectConnectTransport',
  'FileIndex',
  'parseDirectConnectUrl',
];

/**
 * Names that both doors have for two different things: the port, and the inside of an official query; and functions that
 * are strict at the native door, and as lenient as the official ones at the other.
 */
const twoMeanings = ['Transport', 'createSdkMcpServer', 'tool'];

/** The door whose names another one has as a whole. */
const official = 'packages/adapters/official-api/src/official.ts';

/** Every name that an entry exports. Entries are lists of names and of files, so no compiler is needed to read them. */
function namesOf(entry: string): readonly string[] {
  const text = readFileSync(path.join(root, entry), 'utf8');
  const lists = [...text.matchAll(/^export (?:type )?\{(.*?)\} from /gms)];
  const own = lists.flatMap(([, list = '']) =>
    [...list.matchAll(/(?:type )?(\w+)(?:,|\s*$)/g)].map(([, name = '']) => name),
  );
  const declared = [...text.matchAll(/^export (?:type|interface|const|function|class) (\w+)/gm)];
  const whole = [...text.matchAll(/^export (?:type )?\* from '(.*)'/gm)].flatMap(([, from = '']) =>
    namesOf(from === '@hexagent/official-api/official' ? official : path.join(path.dirname(entry), from)),
  );
  return [...new Set([...own, ...declared.map(([, name = '']) => name), ...whole])];
}

/** The sources that an entry leads to, itself included. */
function sourcesOf(entry: string): ReadonlySet<string> {
  const found = new Set([path.join(root, 'packages/sdk/src', entry)]);
  for (const file of found) {
    const imports = readFileSync(file, 'utf8').matchAll(/ from '(\.[^']+)'/g);
    for (const [, target = ''] of imports) found.add(path.join(path.dirname(file), target));
  }
  return found;
}

const native = namesOf('packages/sdk/src/index.ts');
const dropIn = namesOf('packages/sdk/src/claude-agent-sdk.ts');
const expected = officialNames().map(({ name }) => name);

describe('The doors of the facade', () => {
  it('keep the names of the official package from the native one', () => {
    expect(native).toContain('openSession');
    const overlap = native.filter((name) => expected.includes(name));
    expect(overlap.toSorted()).toEqual([...shared, ...twoMeanings].toSorted());
  });

  it('keep names of ours from the drop-in, but for what makes it of other parts', () => {
    expect(dropIn.filter((name) => !expected.includes(name)).toSorted()).toEqual([...added, ...untyped].toSorted());
    expect(dropIn.filter((name) => native.includes(name)).toSorted()).toEqual([...shared, ...twoMeanings].toSorted());
  });

  it('keep the types of the official package from users of the native one', () => {
    const officialTypes = /import (?:type \{[^}]*|\{[^}]*\btype [^}]*)\} from '@hexagent\/official-api(?:\/official)?'/;
    const leading = (entry: string) =>
      [...sourcesOf(entry)].filter((file) => officialTypes.test(readFileSync(file, 'utf8')));
    expect(sourcesOf('index.ts').size).toBeGreaterThan(20);
    expect(leading('index.ts')).toEqual([]);
    expect(leading('claude-agent-sdk.ts').map((file) => path.basename(file))).toEqual([
      'resolve-settings.ts',
      'create-query.ts',
      'session-functions.ts',
    ]);
  });
});
