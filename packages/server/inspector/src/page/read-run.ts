/** What the server reports of a run. */
export interface RunEvents {
  readonly onLines: (lines: readonly string[]) => void;
  /** Lines that the program had, and gave up before they could be read. */
  readonly onDropped: (count: number) => void;
  /** What the program uses, while it is live. */
  readonly onProgram: (text: string) => void;
  readonly onState: (state: RunState) => void;
}

export type RunState =
  | { readonly kind: 'connecting' | 'ended' | 'live' | 'lost' }
  | { readonly kind: 'refused'; readonly status: number };

/** Between two attempts. */
const pauseMs = 1000;

interface Source {
  readonly url: string;
  readonly token: string;
}

/** Reads a run to its end, and comes back to where it was where the connection is lost. */
export async function readRun(source: Source, events: RunEvents): Promise<void> {
  const reading = new Reading(events);
  while (!reading.isOver) {
    try {
      await readOnce(source, reading, events);
    } catch {
      // The server is not there; the state shows it, and the next attempt may find it.
    }
    if (reading.isOver) return;
    events.onState({ kind: 'lost' });
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

async function readOnce({ url, token }: Source, reading: Reading, { onState }: RunEvents): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'last-event-id': reading.lastId };
  const response = await fetch(url, { headers, cache: 'no-store' });
  if (!response.ok || response.body === null) {
    reading.isOver = true;
    return onState({ kind: 'refused', status: response.status });
  }
  reading.restart();
  onState({ kind: 'live' });
  const pieces = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await pieces.read();
    if (done) return;
    reading.add(value);
    if (reading.isOver) return onState({ kind: 'ended' });
  }
}

/** Splits what arrives into server-sent events. */
export class Reading {
  lastId = '';
  isOver = false;
  readonly #events: Omit<RunEvents, 'onState'>;
  #rest = '';
  #id: string | undefined;
  #name = '';
  #data: string[] = [];
  #lines: string[] = [];

  constructor(events: Omit<RunEvents, 'onState'>) {
    this.#events = events;
  }

  /** Lines of all events of a piece are passed on together. */
  add(piece: string): void {
    const lines = (this.#rest + piece).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#read(line);
    if (this.#lines.length === 0) return;
    this.#events.onLines(this.#lines);
    this.#lines = [];
  }

  /** Called before the stream begins anew: an event that was cut off is sent again, from its beginning. */
  restart(): void {
    this.#rest = '';
    this.#forget();
  }

  #forget(): void {
    this.#name = '';
    this.#data = [];
    this.#id = undefined;
  }

  #read(line: string): void {
    if (line.startsWith('data: ')) this.#data.push(line.slice('data: '.length));
    else if (line.startsWith('id: ')) this.#id = line.slice('id: '.length);
    else if (line.startsWith('event: ')) this.#name = line.slice('event: '.length);
    else if (line === '') this.#dispatch();
  }

  #dispatch(): void {
    const [name, lines] = [this.#name, this.#data];
    this.lastId = this.#id ?? this.lastId;
    this.#forget();
    if (name === 'end') this.isOver = true;
    else if (name === 'dropped') this.#events.onDropped(Number(lines[0]));
    else if (name === 'program') this.#events.onProgram(lines.join('\n'));
    else for (const line of lines) this.#lines.push(line);
  }
}
