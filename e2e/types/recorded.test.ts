import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { refuted, type Claim } from './compare.ts';

interface Frame {
  readonly type: string;
  readonly subtype?: string;
  readonly request?: { readonly subtype: string; readonly input: object };
}

interface Manifest {
  readonly recordings: readonly { readonly file: string; readonly use: 'both' | 'cli-side' | 'sdk-side' | 'corpus' }[];
}

const folder = new URL('../../packages/testing/fixtures/transcripts/', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, folder), 'utf8');

/** What the real CLI wrote, in every recording. */
function written(): readonly Frame[] {
  const { recordings } = JSON.parse(read('manifest.json')) as Manifest;
  return recordings
    .filter(({ use }) => use === 'both' || use === 'cli-side')
    .flatMap(({ file }) => read(file).trim().split('\n'))
    .map((line) => JSON.parse(line) as { readonly dir: string; readonly frame: Frame })
    .filter(({ dir }) => dir === 'out')
    .map(({ frame }) => frame);
}

/** The keys and the kinds of values, all the way down: frames that share them say the same about a type. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return [...new Set(value.map((item) => JSON.stringify(shapeOf(item))))];
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  // Short texts may be members of a list of values.
  return Object.entries(value).map(([key, item]) => [key, isWord(item) ? item : shapeOf(item)]);
};

const isWord = (value: unknown): boolean => typeof value === 'string' && /^[a-z_]{3,40}$/u.test(value);

function claims(values: readonly object[], type: string, nameOf: (value: never) => string): readonly Claim[] {
  const shapes = new Map(values.map((value) => [JSON.stringify(shapeOf(value)), value]));
  // Through a variable, where a newer agent may have more keys than the type.
  return [...shapes.values()].map((value, index) => ({
    id: `${nameOf(value as never)} ${index}`,
    code: `export const its_${index}_${type}: ports.${type} = literally(${JSON.stringify(value)});`,
  }));
}

const imports = [
  `import type * as ports from '@hexagent/ports';`,
  'declare function literally<const Value>(value: Value): Value;',
];

/** Frames that stop in the SDK, and long lines that were cut when they were recorded. */
const noMessage = /^(?:control_\w+|keep_alive|transcript_mirror|shortened)$/u;

let frames: readonly Frame[];
beforeAll(() => {
  frames = written();
});

describe('What the real CLI was recorded to write', () => {
  it('is of the type that the vocabulary has for it: each message', async () => {
    const messages = frames.filter(({ type }) => !noMessage.test(type));
    expect(messages.length).toBeGreaterThan(1000);
    const nameOf = ({ type, subtype = '' }: Frame): string => `${type} ${subtype}`;
    expect(Object.fromEntries(await refuted(imports, claims(messages, 'AgentMessage', nameOf)))).toEqual({});
  });

  it('is of the type that the vocabulary has for it: the input of each hook', async () => {
    const inputs = frames.flatMap(({ request }) => (request?.subtype === 'hook_callback' ? [request.input] : []));
    expect(inputs.length).toBeGreaterThan(100);
    const nameOf = (input: { readonly hook_event_name: string }): string => input.hook_event_name;
    expect(Object.fromEntries(await refuted(imports, claims(inputs, 'HookInput', nameOf)))).toEqual({});
  });

  it('is of the type that the vocabulary has for it: each permission request', async () => {
    const requests = frames.flatMap(({ request }) => (request?.subtype === 'can_use_tool' ? [request] : []));
    expect(requests.length).toBeGreaterThan(40);
    const nameOf = ({ input }: { readonly input: object }): string => Object.keys(input).join(' ');
    expect(Object.fromEntries(await refuted(imports, claims(requests, 'PermissionRequest', nameOf)))).toEqual({});
  });
});
