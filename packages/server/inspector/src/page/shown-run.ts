import { RunFold } from '../fold/run-fold.ts';
import { formatCount } from '../fold/formats.ts';
import { readRun, type RunState } from './read-run.ts';

/** A run that the server offers. */
export interface RunName {
  readonly name: string;
  readonly isLive: boolean;
}

/** A run while it arrives. */
export class ShownRun {
  readonly fold: RunFold = new RunFold();
  readonly name: string;
  readonly isLive: boolean;
  state: RunState = { kind: 'connecting' };
  dropped = 0;
  /** What the program uses. */
  program = '';

  constructor({ name, isLive }: RunName) {
    this.name = name;
    this.isLive = isLive;
  }

  read(source: { readonly url: string; readonly token: string }, onChange: () => void): void {
    void readRun(source, {
      onLines: (lines) => {
        for (const line of lines) this.fold.add(line);
        onChange();
      },
      onDropped: (count) => {
        this.dropped += count;
        onChange();
      },
      onProgram: (text) => {
        this.program = text;
        onChange();
      },
      onState: (state) => {
        this.state = state;
        onChange();
      },
    });
  }

  get isOver(): boolean {
    return this.state.kind === 'ended' || this.state.kind === 'refused';
  }

  /** In the time of the rows. What has ended, or cannot be reached, stands still. */
  get now(): number {
    const last = this.fold.rows.at(-1)?.t ?? 0;
    if (!this.isLive || this.state.kind !== 'live' || this.fold.started === undefined) return last;
    return Math.max(last, Date.now() - Date.parse(this.fold.started));
  }

  /** The state in words, and how it looks. */
  get stateText(): readonly [string, string] {
    const { kind } = this.state;
    if (kind === 'live') return this.isLive ? ['Live', 'running'] : ['Loading…', 'running'];
    if (kind === 'lost') return ['Not connected: the program has ended, or cannot be reached', 'failed'];
    return kind === 'connecting' ? ['Connecting…', 'idle'] : ['', 'idle'];
  }

  /** What a reader must know about what is not there. */
  get gaps(): string {
    const dropped =
      this.dropped === 0
        ? ''
        : `${formatCount(this.dropped)} earlier lines are not here: the program keeps the latest.`;
    const unread = this.fold.unread === 0 ? '' : `${formatCount(this.fold.unread)} lines could not be read.`;
    return [dropped, unread].filter((text) => text !== '').join(' ');
  }
}
