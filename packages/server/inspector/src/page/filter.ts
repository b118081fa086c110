import type { Direction } from '../fold/entry.ts';
import type { Row, RowKind } from '../fold/run.ts';

export const kindNames: Readonly<Record<RowKind, string>> = {
  message: 'Messages',
  tool: 'Tools',
  ask: 'Questions',
  hook: 'Hooks',
  server: 'Own tools',
  request: 'Requests',
  piece: 'Pieces',
  system: 'System',
  process: 'Process',
};

/** What of a run is shown. */
export interface Filter {
  /** In small letters. */
  readonly text: string;
  readonly direction: Direction | undefined;
  readonly hidden: ReadonlySet<RowKind>;
  readonly tool: string | undefined;
  readonly agent: number | undefined;
  readonly turn: number | undefined;
}

export const everything: Filter = {
  text: '',
  direction: undefined,
  hidden: new Set(),
  tool: undefined,
  agent: undefined,
  turn: undefined,
};

export function isShown(row: Row, { text, direction, hidden, tool, agent, turn }: Filter): boolean {
  return (
    !hidden.has(row.kind) &&
    (agent === undefined || row.agent === agent) &&
    (turn === undefined || row.turn === turn) &&
    (direction === undefined || row.direction === direction) &&
    (tool === undefined || row.tool === tool) &&
    (text === '' || row.line.toLowerCase().includes(text))
  );
}
