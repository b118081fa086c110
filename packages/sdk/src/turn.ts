import { handled } from '@hexagent/async';
import type { Turn as TurnOfPort } from '@hexagent/ports';
import { snapshotsOf, completedText, textStreamOf, type Readings } from './reading/readings.ts';

/**
 * One exchange. Reading it is optional: `result` and `text()` come either way. Its loop, `textStream()` and `snapshots()` are three ways
 * to read it, of which a program takes one.
 */
export interface Turn extends Omit<TurnOfPort, 'includePieces'>, Readings {}

export function toTurn(turn: TurnOfPort): Turn {
  const open = () => turn[Symbol.asyncIterator]();
  const openInPieces = () => {
    turn.includePieces?.();
    return open;
  };
  return {
    id: turn.id,
    get result() {
      return turn.result;
    },
    get received() {
      return turn.received;
    },
    interrupt: () => turn.interrupt(),
    text: () => handled(completedText(turn.result)),
    textStream: () => textStreamOf(openInPieces(), () => turn.result),
    snapshots: () => snapshotsOf(openInPieces()),
    [Symbol.asyncIterator]: open,
  };
}
