import type { Launch } from '@hexagent/ports';
import { parseJson } from './parse-json.ts';
import { fieldsOf, responseOf, textOf, type Fields } from './frame-fields.ts';
import type { TapeLaunch } from './tape-entry.ts';

const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/** Translates lines between a tape and a run of it: the ids that the program gives, and the folder in which the agent works. */
export class TapeTerms {
  /** By the uuid on the tape, that of the run; and the other way round. */
  readonly #uuidsOfRun = new Map<string, string>();
  readonly #uuidsOfTape = new Map<string, string>();
  /** By the id of a request of the program on the tape, that in the run. */
  readonly #requests = new Map<string, string>();
  readonly #folderOfTape: string | undefined;
  readonly #folderOfRun: string;

  constructor(tape: TapeLaunch | undefined, { cwd = process.cwd(), sessionId }: Pick<Launch, 'cwd' | 'sessionId'>) {
    this.#folderOfTape = tape?.cwd;
    this.#folderOfRun = cwd;
    this.#pair(tape?.sessionId, sessionId);
  }

  /** A frame of the agent as this run has to receive it. */
  toRun(line: string): string {
    const named = this.#uuidsOfRun.size === 0 ? line : renamed(line, this.#uuidsOfRun);
    const placed = moved(named, this.#folderOfTape, this.#folderOfRun);
    return placed.includes('"control_response"') ? this.#answered(placed) : placed;
  }

  /** A line of the program as it would be on the tape. */
  toTape(line: string): string {
    const named = this.#uuidsOfTape.size === 0 ? line : renamed(line, this.#uuidsOfTape);
    return moved(named, this.#folderOfRun, this.#folderOfTape);
  }

  /** The program sent this in place of that: its ids mean the same. */
  learn(expected: unknown, seen: unknown): void {
    const [ofTape, ofRun] = [fieldsOf(expected), fieldsOf(seen)];
    this.#pair(ofTape['uuid'], ofRun['uuid']);
    const [request, requestOfRun] = [textOf(ofTape['request_id']), textOf(ofRun['request_id'])];
    if (request !== '') this.#requests.set(request, requestOfRun);
  }

  #pair(ofTape: unknown, ofRun: unknown): void {
    if (typeof ofTape !== 'string' || typeof ofRun !== 'string' || ofTape === ofRun) return;
    this.#uuidsOfRun.set(ofTape, ofRun);
    this.#uuidsOfTape.set(ofRun, ofTape);
  }

  #answered(line: string): string {
    const frame: Fields = fieldsOf(parseJson(line));
    const response = responseOf(frame);
    const id = this.#requests.get(textOf(response['request_id']));
    if (id === undefined || id === response['request_id']) return line;
    return JSON.stringify({ ...frame, response: { ...response, request_id: id } });
  }
}

const renamed = (line: string, names: ReadonlyMap<string, string>): string =>
  line.replace(uuids, (name) => names.get(name) ?? name);

/** Replaces a folder, as JSON, where a path begins with it. */
function moved(line: string, from: string | undefined, to: string | undefined): string {
  if (from === undefined || to === undefined || from === to || from.length < 2) return line;
  const [old, replacement] = [JSON.stringify(from).slice(1, -1), JSON.stringify(to).slice(1, -1)];
  // A longer name, or the end of another path, is another folder.
  const isOther = (before: string, after: string): boolean => /[\w.-]$/.test(before) || /^[\w.-]/.test(after);
  return line.split(old).reduce((before, after) => before + (isOther(before, after) ? old : replacement) + after);
}
