import type { Direction, Entry } from './entry.ts';
import type { Row } from './run.ts';

/** The line that is read. */
export interface Noted {
  readonly entry: Entry;
  readonly index: number;
  readonly direction: Direction;
  readonly t: number;
}

/** What a line is, beside where it stands. */
export interface Facts
  extends Pick<Row, 'kind' | 'type'>, Partial<Pick<Row, 'ask' | 'call' | 'parent' | 'request' | 'tool'>> {}
