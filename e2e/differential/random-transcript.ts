import type { Chance } from '../attack/chance.ts';
import { sessionId, uuidOf } from './stored-places.ts';

type Fields = Record<string, unknown>;

const texts = [
  'asked',
  'asked more',
  '',
  '  spaces \n and lines ',
  'x'.repeat(300),
  '<command-name>/clear</command-name>',
  '<command-name>/x</command-name>\n<command-args>y</command-args>',
  '<local-command-stdout>done</local-command-stdout>',
  '<local-command-stderr>failed',
  '<local-command-caveat>not for you</local-command-caveat>',
  '<bash-input>ls</bash-input>',
  '<system-reminder>x</system-reminder>',
  '[Request interrupted by user]',
  '<3 é😀 \u2028 \u0000 "quoted" \\ back',
  '","uuid":"00000000-0000-4000-8000-000000000000","type":"user","parentUuid":null',
  '{"type":"user","message":{"role":"user","content":"no"}}',
];
/** In the place of a field: what a broken or a newer agent might have written. */
const oddValues: readonly unknown[] = [
  null,
  '',
  0,
  7,
  1e300,
  true,
  false,
  [],
  {},
  ['x'],
  { a: 1 },
  'text',
  ' ',
  '\u0000',
];
const oddTimes = [
  '2023-11-14T22:13:21.000Z',
  '2023-11-14T22:13:20.500Z',
  '9999-12-31T23:59:59.999Z',
  '+275760-09-13T00:00:00.000Z',
  '2023',
];
/** Fields of which a mistake is likely to change an order or what is shown. */
const fieldNames = [
  'isMeta',
  'teamName',
  'agentId',
  'sessionId',
  'message',
  'subtype',
  'attachment',
  'isCompactSummary',
  'isVisibleInTranscriptOnly',
  'toolUseResult',
  'sourceToolAssistantUUID',
  'toolDenialKind',
  'origin',
  'logicalParentUuid',
  'forkedFrom',
  'isCompletedLocalCommand',
  'content',
  'slug',
  'leafUuid',
  'promptId',
  'requestSessionId',
  'parent_tool_use_id',
  'entrypoint',
  'sessionKind',
];

/** A transcript as the CLI writes one, and then as few or as many things wrong with it as the seed decides. */
export class RandomTranscript {
  readonly #chance: Chance;
  readonly entries: Fields[] = [];
  #last: string | null = null;
  #made = 0;
  readonly #isDamaged: boolean;

  constructor(chance: Chance, { isDamaged = false } = {}) {
    this.#isDamaged = isDamaged;
    this.#chance = chance;
    if (chance.percent(20)) this.#note();
    for (let step = 1 + chance.below(8); step > 0; step -= 1) this.#step();
    for (let wrong = chance.below(4); wrong > 0; wrong -= 1) this.#mutate();
  }

  /** As the bytes of a file. */
  content(): Buffer {
    const chance = this.#chance;
    const damage = this.#isDamaged ? 3 : 0;
    const ending = chance.rarely(6, '\n', ['\r\n', '\n\n', '\n \n']);
    const lines = this.entries.map((entry) => Buffer.from(`${this.#json(entry)}${ending}`));
    for (let wrong = chance.below(damage + 1); wrong > 0; wrong -= 1) this.#damage(lines);
    const bytes = Buffer.concat(lines);
    if (chance.percent(5)) return bytes.subarray(0, bytes.length - ending.length);
    if (damage > 0 && chance.percent(10)) return bytes.subarray(0, Math.max(0, bytes.length - chance.below(400)));
    if (damage > 0 && chance.percent(3)) return Buffer.concat([Buffer.from('\uFEFF'), bytes]);
    return bytes;
  }

  uuids(): string[] {
    return this.entries.flatMap(({ uuid }) => (typeof uuid === 'string' ? [uuid] : []));
  }

  #step(): void {
    const chance = this.#chance;
    const kind = chance.below(22);
    if (kind < 4) this.#add('user', { message: { role: 'user', content: this.#prompt() } });
    else if (kind < 7) this.#answer();
    else if (kind < 10) this.#tools();
    else if (kind === 10) this.#add('attachment', { attachment: this.#attachment() });
    else if (kind === 11 && !this.#isDamaged) this.#add('progress', { data: {} });
    else if (kind === 12)
      this.#add('system', {
        subtype: pick(chance, ['informational', 'api_error', 'local_command']),
        content: 'noted',
        level: 'info',
        ...(chance.percent(30) && { isMeta: true }),
      });
    else if (kind === 13) this.#compact();
    else if (kind === 14) this.#add('user', { isMeta: true, message: { role: 'user', content: this.#prompt() } });
    else if (kind === 15) this.#aside();
    else if (kind === 16) this.#rewind();
    else if (kind === 17) this.#localCommand();
    else if (kind === 18) this.#add('user', { teamName: 'team', message: { role: 'user', content: 'x' } });
    else this.#note();
  }

  #add(type: string, fields: Fields, { moves = true } = {}): string {
    const uuid = this.#uuid();
    this.entries.push({
      parentUuid: this.#last,
      isSidechain: false,
      type,
      ...fields,
      uuid,
      timestamp: this.#time(),
      userType: 'external',
      entrypoint: this.#chance.rarely(5, 'cli', ['sdk-ts', 'sdk-cli', 'vscode']),
      cwd: this.#chance.rarely(5, '/some/dir', ['/some/dir/sub', '/other']),
      sessionId,
      version: '2.1.326',
      gitBranch: this.#chance.rarely(10, 'main', ['later', 'HEAD']),
    });
    if (moves) this.#last = uuid;
    return uuid;
  }

  #uuid(): string {
    this.#made += 1;
    return uuidOf(`e${this.#made}`);
  }

  #time(): string {
    return new Date(1_700_000_000_000 + this.#made * 1000 + (this.#chance.percent(10) ? -3000 : 0)).toISOString();
  }

  #prompt(): unknown {
    const chance = this.#chance;
    const text = (): unknown => ({ type: 'text', text: pick(chance, texts) });
    if (chance.percent(60)) return pick(chance, texts);
    const other = [{ type: 'image', source: {} }, { type: 'document', source: {} }, text(), text()];
    return chance.list(0, 3, () => pick(chance, other));
  }

  #answer(): void {
    const id = `msg_${this.#made}`;
    const blocks = this.#chance.list(1, 3, (): Fields =>
      pick(this.#chance, [
        { type: 'text', text: 'answered' },
        { type: 'thinking', thinking: 'hm', signature: 's' },
      ]),
    );
    for (const block of blocks)
      this.#add('assistant', {
        requestId: 'req',
        message: { id, role: 'assistant', type: 'message', content: [block], usage: {} },
      });
  }

  #tools(): void {
    const chance = this.#chance;
    const id = `msg_${this.#made}`;
    const from = this.#last;
    const calls = chance.list(1, 4, () => {
      if (chance.percent(15)) this.#last = from;
      const use = `toolu_${this.#made}`;
      const block = { type: 'tool_use', id: use, name: 'Bash', input: { uuid: 'no', type: 'user', id: 'no' } };
      return { use, uuid: this.#add('assistant', { message: { id, role: 'assistant', content: [block] } }) };
    });
    const order = chance.percent(30) ? calls.toReversed() : calls;
    for (const { use, uuid } of order) {
      if (chance.percent(10)) continue;
      this.#last = chance.rarely(15, uuid, [from ?? uuid, calls[0]?.uuid ?? uuid]);
      const block = {
        type: 'tool_result',
        tool_use_id: use,
        content: pick(chance, texts),
        is_error: chance.percent(20),
      };
      const content = chance.percent(10) ? [block, { ...block, tool_use_id: calls[0]?.use }] : [block];
      this.#add('user', {
        message: { role: 'user', content },
        toolUseResult: pick<unknown>(chance, [
          { stdout: 'x'.repeat(chance.below(1200)), uuid: 'no' },
          'Error: x',
          [{}],
        ]),
        sourceToolAssistantUUID: uuid,
        ...(chance.percent(10) && { toolDenialKind: pick(chance, ['user-rejected', 'interrupted', 'other']) }),
      });
    }
  }

  #attachment(): Fields {
    const chance = this.#chance;
    if (chance.percent(40)) return { type: 'date', content: 'x' };
    return {
      type: 'queued_command',
      prompt: this.#prompt(),
      commandMode: 'prompt',
      ...(chance.percent(80) && { source_uuid: uuidOf(`q${this.#made}`) }),
      ...(chance.percent(15) && { isMeta: true }),
      ...(chance.percent(15) && { origin: { kind: 'human' } }),
    };
  }

  #aside(): void {
    const last = this.#last;
    this.#add('user', { isSidechain: true, agentId: 'x1', message: { role: 'user', content: 'do it' } });
    this.#add('assistant', {
      isSidechain: true,
      agentId: 'x1',
      message: { id: 'msg_side', role: 'assistant', content: [] },
    });
    if (this.#chance.percent(70)) this.#last = last;
  }

  #rewind(): void {
    const all = this.uuids();
    if (all.length > 0) this.#last = pick(this.#chance, all);
  }

  #localCommand(): void {
    const say = (content: string, fields: Fields = {}): void =>
      void this.#add('user', { ...fields, message: { role: 'user', content } });
    if (this.#chance.percent(70)) say('<local-command-caveat>x</local-command-caveat>', { isMeta: true });
    say('<command-name>/x</command-name>');
    if (this.#chance.percent(70)) say('<local-command-stdout>y</local-command-stdout>');
  }

  #compact(): void {
    const chance = this.#chance;
    const before = this.#chain();
    const logicalParentUuid = this.#last;
    const anchorUuid = uuidOf(`e${this.#made + 2}`);
    const uuids = before.slice(Math.max(0, before.length - chance.below(4)));
    const kept = chance.percent(60) && uuids.length > 0;
    const isOld = !this.#isDamaged && chance.percent(40);
    this.#last = null;
    this.#add('system', {
      subtype: 'compact_boundary',
      content: 'Conversation compacted',
      isMeta: false,
      logicalParentUuid,
      compactMetadata: {
        trigger: 'auto',
        preTokens: 1,
        ...(kept && !isOld && { preservedMessages: { anchorUuid, uuids, allUuids: uuids } }),
        ...(kept &&
          (isOld || (!this.#isDamaged && chance.percent(20))) && {
            preservedSegment: { headUuid: uuids[0], anchorUuid, tailUuid: uuids.at(-1) },
          }),
      },
    });
    if (chance.percent(90))
      this.#add('user', {
        isCompactSummary: true,
        isVisibleInTranscriptOnly: true,
        message: { role: 'user', content: 'what was said' },
      });
  }

  /** The messages of the branch that was written to last. */
  #chain(): string[] {
    const chain: string[] = [];
    for (let uuid = this.#last; uuid !== null;) {
      const entry = this.entries.findLast((each) => each['uuid'] === uuid);
      if (entry === undefined || chain.includes(uuid)) break;
      if (entry['type'] === 'user' || entry['type'] === 'assistant') chain.unshift(uuid);
      uuid = typeof entry['parentUuid'] === 'string' ? entry['parentUuid'] : null;
    }
    return chain;
  }

  #note(): void {
    const chance = this.#chance;
    const text = chance.rarely<unknown>(15, `noted ${this.#made}`, ['', ' ', 7, null, 'é "x" \\']);
    this.entries.push(
      pick<Fields>(chance, [
        { type: 'custom-title', customTitle: text, sessionId },
        { type: 'ai-title', aiTitle: text, sessionId },
        { type: 'tag', tag: text, sessionId },
        { type: 'summary', summary: text, leafUuid: uuidOf('e1') },
        { type: 'last-prompt', lastPrompt: text, leafUuid: uuidOf('e1'), sessionId },
        { type: 'queue-operation', operation: 'enqueue', timestamp: this.#time(), sessionId, content: 'x' },
        { type: 'file-history-snapshot', messageId: uuidOf('e1'), snapshot: {}, isSnapshotUpdate: false },
        { type: 'tools-used', tools: ['Bash'], sessionId },
        { type: 'mode', mode: 'normal', sessionId },
        { type: 'api-request-blob', blob: 'x'.repeat(chance.below(2000)), sessionId },
      ]),
    );
  }

  #mutate(): void {
    const chance = this.#chance;
    const { entries } = this;
    if (entries.length === 0) return;
    const [place, other] = [chance.below(entries.length), chance.below(entries.length)];
    const [entry, another] = [entries[place], entries[other]];
    if (entry === undefined || another === undefined || typeof entry['uuid'] !== 'string') return;
    const set = (name: string, value: unknown): void => void (entries[place] = { ...entry, [name]: value });
    switch (chance.below(16)) {
      case 0:
        return this.#keepsLinks() || other >= place ? undefined : set('parentUuid', another['uuid']);
      case 2:
        return this.#keepsLinks()
          ? undefined
          : set('parentUuid', pick(chance, [null, uuidOf('none'), undefined] as unknown[]));
      case 3:
        return this.#keepsLinks() ? undefined : set('uuid', another['uuid']);
      case 4:
        return this.#keepsLinks() ? undefined : void entries.splice(place, 1);
      case 5:
        return this.#keepsLinks() ? undefined : void entries.splice(other, 0, entry);
      case 6:
        return this.#keepsLinks() ? undefined : void entries.splice(other, 0, ...entries.splice(place, 1));
      case 7:
        return set(pick(chance, fieldNames), pick(chance, [...oddValues, undefined] as unknown[]));
      case 9:
        return set('timestamp', pick(chance, oddTimes));
      case 10:
        return typeof entry['uuid'] !== 'string' || JSON.stringify(entry).includes('"tool_')
          ? undefined
          : set('type', pick(chance, ['user', 'assistant', 'system', 'attachment', 'progress', 'weird']));
      case 11:
        return JSON.stringify(entry).includes('"tool_') ? undefined : set('isSidechain', true);
      case 12:
        return this.#mutateWithin(entry, place);
      case 13:
        return this.#keepsLinks()
          ? undefined
          : set('uuid', typeof entry['uuid'] === 'string' ? entry['uuid'].toUpperCase() : 'x');
      case 14:
        return this.#keepsLinks() ? undefined : set('uuid', pick(chance, ['x', '\ud800', 'é', 'a"b', uuidOf('none')]));
      case 15:
        return set(pick(chance, fieldNames), another[pick(chance, fieldNames)]);
    }
  }

  /** Whether other links make an order that is ours on purpose: of reports of progress, and of older notes of a compaction. */
  #keepsLinks(): boolean {
    return this.entries.some(
      ({ type, compactMetadata }) =>
        type === 'progress' || JSON.stringify(compactMetadata ?? '').includes('preservedSegment'),
    );
  }

  /** Something wrong with a message, its pieces, an attachment or the note of a compaction. */
  #mutateWithin(entry: Fields, place: number): void {
    const chance = this.#chance;
    const copy = structuredClone(entry);
    const holders: Fields[] = [];
    const gather = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      holders.push(value as Fields);
      Object.values(value).forEach(gather);
    };
    [copy['message'], copy['attachment']].forEach(gather);
    if (holders.length === 0) return;
    const holder = pick(chance, holders);
    const keys = Object.keys(holder).filter((key) => key !== 'tool_use_id');
    if (keys.length === 0) return;
    const key = pick(chance, keys);
    if (chance.percent(20)) delete holder[key];
    else holder[key] = pick(chance, [...oddValues, ...this.uuids().slice(0, 3), ...texts] as unknown[]);
    this.entries[place] = copy;
  }

  #json(entry: Fields): string {
    const chance = this.#chance;
    if (chance.percent(4))
      return JSON.stringify(Object.fromEntries(Object.entries(entry).toSorted(() => chance.below(3) - 1)));
    const json = JSON.stringify(entry);
    if (this.#isDamaged && chance.percent(4))
      return json.replaceAll(/"(?:[^"\\]|\\.)*"/g, (text) =>
        text.replaceAll(/\\.|[a-z]/g, (letter) =>
          letter.length === 1 && chance.percent(5) ? `\\u00${letter.charCodeAt(0).toString(16)}` : letter,
        ),
      );
    if (chance.percent(1)) return ` ${json}\t`;
    if (this.#isDamaged && chance.percent(1))
      return json.replace('{', `{"${pick(chance, fieldNames)}":${JSON.stringify(pick(chance, oddValues))},`);
    return json;
  }

  #damage(lines: Buffer[]): void {
    const chance = this.#chance;
    if (lines.length === 0) return;
    const place = chance.below(lines.length);
    const line = lines[place] ?? Buffer.alloc(0);
    const at = chance.below(line.length + 1);
    const replace = (...parts: (Buffer | string | undefined)[]): void =>
      void (lines[place] = Buffer.concat(parts.map((part) => Buffer.from(part ?? ''))));
    // What is behind a backslash decides whether the text is one.
    if (line[at - 1] === 0x5c) return;
    switch (chance.below(8)) {
      case 0:
        return replace(line.subarray(0, at));
      case 1:
        return replace(line.subarray(0, at), '\n');
      case 2:
        return replace(line.subarray(at));
      case 3:
        return replace(
          line.subarray(0, at),
          Buffer.of(pick(chance, [0xff, 0xc3, 0xed, 0x80, 0x7f, 0x22, 0x7b, 0x7d, 0x5d, 0x2c])),
          line.subarray(at + 1),
        );
      case 4:
        return replace(line.subarray(0, at), Buffer.of(0x20 + chance.below(0x3c)), line.subarray(at));
      case 5:
        return replace(Buffer.alloc(1 + chance.below(5)), line);
      case 6:
        return replace(
          line,
          pick(chance, [
            'null\n',
            '[]\n',
            '7\n',
            '"x"\n',
            '{}\n',
            '{\n',
            '\n',
            'hello\n',
            '\uFEFF{}\n',
            '[{"type":"user"}]\n',
          ]),
        );
      case 7:
        return replace(line.subarray(0, -1), line);
    }
  }
}

function pick<T>(chance: Chance, values: readonly T[]): T {
  return values[chance.below(values.length)] as T; // below the length
}
