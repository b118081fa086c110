import { HandClock } from '@hexagent/testing';
import { createReplayBuffer, type ReplayBuffer } from '@hexagent/ui-stream';
import { describe, expect, it } from 'vitest';
import { PromisedTurn } from '../src/promised-turn.ts';

function promised(): { readonly turn: PromisedTurn; readonly clock: HandClock; readonly buffer: ReplayBuffer } {
  const clock = new HandClock();
  return { turn: new PromisedTurn({ clock }), clock, buffer: createReplayBuffer({ clock }) };
}

describe('A turn that has ended', () => {
  it('is kept once for each page that was shown what came before it', () => {
    const { turn, clock, buffer } = promised();
    turn.promise('one');
    turn.promise('one');
    turn.end('one', buffer);
    expect([turn.take(), turn.take(), turn.take()]).toEqual([buffer, buffer, undefined]);
    expect(clock.waiting).toBe(0);
  });

  it('is not kept for pages that have read its stream, nor where none was shown anything', () => {
    const { turn, clock, buffer } = promised();
    turn.end('none', buffer);
    turn.promise('one');
    turn.read('one');
    turn.read('one');
    turn.end('one', buffer);
    expect([turn.take(), clock.waiting]).toEqual([undefined, 0]);
  });

  it('is kept for ten seconds', () => {
    const { turn, clock, buffer } = promised();
    turn.promise('one');
    turn.end('one', buffer);
    clock.advance(9999);
    expect(clock.waiting).toBe(1);
    clock.advance(1);
    expect([turn.take(), clock.waiting]).toEqual([undefined, 0]);
  });

  it('is not kept any more when a page is shown what came before the next one', () => {
    const { turn, clock, buffer } = promised();
    turn.promise('one');
    turn.end('one', buffer);
    turn.promise('two');
    expect([turn.take(), clock.waiting]).toEqual([undefined, 0]);
  });
});
