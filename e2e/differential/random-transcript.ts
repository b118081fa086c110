import type { Chance } from '../support/chance.ts';
import { sessionId, uuidOf } from './stored-places.ts';
import { lineOf, spoilLine } from './transcript-bytes.ts';
import { makeMistake } from './transcript-mistakes.ts';
import { pick, texts, uuidsOf, type Fields } from './transcript-values.ts';

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
    for (let wrong = chance.below(4); wrong > 0; wrong -= 1) makeMistake(this.entries, chance);
  }

  /** As the bytes of a file. */
  content(): Buffer {
    const chance = this.#chance;
    const damage = this.#isDamaged ? 3 : 0;
    const writing = { chance, isDamaged: this.#isDamaged };
    const ending = chance.rarely(6, '\n', ['\r\n', '\n\n', '\n \n']);
    const lines = this.entries.map((entry) => Buffer.from(`${lineOf(entry, writing)}${ending}`));
    for (let wrong = chance.below(damage + 1); wrong > 0; wrong -= 1) spoilLine(lines, chance);
    const bytes = Buffer.concat(lines);
    if (chance.percent(5)) return bytes.subarray(0, bytes.length - ending.length);
    if (damage > 0 && chance.percent(10)) return bytes.subarray(0, Math.max(0, bytes.length - chance.below(400)));
    if (damage > 0 && chance.percent(3)) return Buffer.concat([Buffer.from('\uFEFF'), bytes]);
    return bytes;
  }

  uuids(): string[] {
    return uuidsOf(this.entries);
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
      version: '2.1.328',
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
}
