import { seededRandom } from '@hexagent/testing';

/** Marks, in a text, bytes that no text has. */
const zero = '\uE000';
const noUtf8 = '\uE001';

const types = ['user', 'assistant', 'system', 'attachment', 'progress', 'custom-title', 'weird', ''];
const uuids = [
  ...Array.from({ length: 12 }, (_, number) => `0000000${number.toString(16)}-0000-4000-8000-000000000000`),
  ...['a', 'b', 'é', '"', '\\', 'a\\', '\n', '\u2028', '😀', '\ud800', '\udc00x', '', ' a', `a${noUtf8}`],
];
const texts = [
  ...[
    'Hello',
    '',
    '"',
    '\\',
    '\\"',
    '","uuid":"no"',
    '{"type":"user","uuid":"no"}',
    'é😀\u0000\u001f\u2029',
    '}]}',
    '\ud83d',
  ],
  ...['a "quoted" word \\ and\n'.repeat(100), 'plain '.repeat(500), `${'x'.repeat(200)}"`.repeat(20), '\\'.repeat(99)],
  ...[`x${noUtf8}y`, '\u007f\u0080'],
];

/** A transcript in which everything is planted that makes one hard to read: the same for the same seed. */
export class OddTranscript {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = seededRandom(seed);
  }

  content(lines: number): Buffer {
    const text = Array.from({ length: lines }, () => this.#line()).join('');
    return bytesOf(this.#may(0.3) ? text.slice(0, -this.#below(300)) : text);
  }

  #line(): string {
    const ending = this.#one(['\n', '\n', '\n', '\r\n', '\n\n']);
    const line = this.#object(this.#entry());
    if (this.#may(0.03)) return `${line.slice(0, this.#below(line.length))}${ending}`;
    // A line that was cut off, and another one behind it.
    if (this.#may(0.03)) return `${line.slice(0, this.#below(line.length))}${this.#object(this.#entry())}${ending}`;
    if (this.#may(0.02)) return `${line}${line}${ending}`;
    if (this.#may(0.02)) return `${zero.repeat(1 + this.#below(9))}${line}${ending}`;
    if (this.#may(0.02)) return `${line.replace(/[a-z]/, zero)}${ending}`;
    if (this.#may(0.02))
      return `${this.#one(['', ' ', 'null', '7', '[]', '"x"', '{', '{}', '\uFEFF{}', '{"a"}'])}${ending}`;
    return `${line}${ending}`;
  }

  #entry(): [string, unknown][] {
    const type = this.#one(types);
    const fields: [string, unknown][] = [
      ['parentUuid', this.#one<unknown>([this.#one(uuids), this.#one(uuids), null, 7, [], undefined])],
      ['isSidechain', this.#one<unknown>([false, false, true, 0, '', 'x', -0, 1e-9, {}, null])],
      ['type', type],
      ['message', this.#message()],
      ['uuid', this.#may(0.05) ? this.#one<unknown>([undefined, null, 3, {}]) : this.#one(uuids)],
      ['timestamp', this.#one<unknown>(['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:01.000Z', 'é', 7, undefined])],
      ['isMeta', this.#one<unknown>([undefined, undefined, true, false, 'no', []])],
      ['teamName', this.#one<unknown>([undefined, undefined, undefined, '', 'team', '\u0000'])],
      [
        'toolUseResult',
        this.#one<unknown>([undefined, this.#one(texts), { stdout: this.#one(texts), uuid: 'no' }, []]),
      ],
      ['userType', 'external'],
      ['sessionId', this.#one(uuids)],
    ];
    if (type === 'system' && this.#may(0.5))
      fields.push(['subtype', 'compact_boundary'], ['compactMetadata', this.#kept()]);
    if (type === 'attachment') fields.push(['attachment', this.#attachment()]);
    return this.#shuffled(fields);
  }

  /** Where the type comes first, it comes once: such a line is known by its beginning. */
  #shuffled(fields: [string, unknown][]): [string, unknown][] {
    const order = this.#may(0.5) ? fields : fields.toSorted(() => this.#next() - 0.5);
    const twice = this.#one(order);
    return this.#may(0.1) && twice[0] !== 'type' ? [twice, ...order] : order;
  }

  #message(): unknown {
    const content = this.#one<unknown>([
      this.#one(texts),
      this.#one(texts),
      Array.from({ length: this.#below(4) }, () => this.#block()),
      [1, null, 'x', [], [{ type: 'tool_use', id: 'no' }], {}],
      { type: 'tool_use', id: 'no' },
    ]);
    const id = this.#one<unknown>(['msg_1', 'msg_2', 'é', 7, undefined]);
    return this.#one<unknown>([{ id, role: 'user', content }, { content, id }, { id }, 'text', null, undefined]);
  }

  #block(): unknown {
    const id = this.#one<unknown>(['toolu_1', 'toolu_2', '"', 7, undefined]);
    const input = { id: 'no', type: 'tool_result', tool_use_id: 'no', uuid: 'no', text: this.#one(texts) };
    return this.#one<unknown>([
      { type: 'tool_use', id, name: 'Bash', input },
      { id, input, type: 'tool_use' },
      { tool_use_id: id, type: 'tool_result', content: this.#one(texts) },
      { type: 'tool_result', content: [input], tool_use_id: id },
      { type: 'text', text: this.#one(texts), id },
      { type: ['tool_use'], id },
    ]);
  }

  #attachment(): unknown {
    const queued = { type: 'queued_command', prompt: this.#one<unknown>(['x', [], 7]), source_uuid: this.#one(uuids) };
    return this.#one<unknown>([queued, { ...queued, isMeta: true }, { type: 'date', prompt: 'x' }, 'x', null]);
  }

  #kept(): unknown {
    const anchorUuid = this.#one(uuids);
    const some = Array.from({ length: this.#below(3) }, () => this.#one(uuids));
    const segment = { anchorUuid, headUuid: this.#one(uuids), tailUuid: this.#one(uuids) };
    return this.#one<unknown>([
      { preservedMessages: { anchorUuid, uuids: some } },
      { preservedSegment: segment },
      { preservedMessages: { anchorUuid, uuids: [7] }, preservedSegment: segment },
      {},
      null,
    ]);
  }

  /** As JSON, with spaces and escapes that are allowed and never written. */
  #object(fields: readonly [string, unknown][]): string {
    const space = this.#space();
    const written = fields
      .filter(([, field]) => field !== undefined)
      .map(([key, field]) => `${this.#string(key)}${space}:${space}${this.#json(field)}`);
    return `{${space}${written.join(`${space},${space}`)}${space}}`;
  }

  #json(value: unknown): string {
    if (typeof value === 'string') return this.#string(value);
    const space = this.#space();
    if (Array.isArray(value)) return `[${space}${value.map((item) => this.#json(item)).join(`${space},`)}${space}]`;
    if (typeof value === 'object' && value !== null) return this.#object(Object.entries(value));
    return `${JSON.stringify(value)}${space}`;
  }

  #string(text: string): string {
    const json = JSON.stringify(text);
    if (!this.#may(0.03)) return json;
    return json.replaceAll(/\\u[\da-f]{4}|\\.|[a-z\d]/g, (found) =>
      found.length === 1 && this.#may(0.3) ? `\\u00${found.charCodeAt(0).toString(16)}` : found,
    );
  }

  #space(): string {
    return this.#may(0.02) ? this.#one([' ', '\t', '\r', '  ']) : '';
  }

  #may(likely: number): boolean {
    return this.#next() < likely;
  }

  #below(limit: number): number {
    return Math.floor(this.#next() * limit);
  }

  #one<T>(values: readonly T[]): T {
    return values[this.#below(values.length)] as T; // below the length
  }
}

function bytesOf(text: string): Buffer {
  const parts = text.split(/([\uE000\uE001])/);
  return Buffer.concat(
    parts.map((part) => (part === zero ? Buffer.of(0) : part === noUtf8 ? Buffer.of(0xff) : Buffer.from(part))),
  );
}
