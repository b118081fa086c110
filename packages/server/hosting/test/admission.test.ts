import { describe, expect, it } from 'vitest';
import { Admission, type AdmissionOptions, type Place } from '../src/admission.ts';

function admissionOf(options: Partial<AdmissionOptions> = {}): {
  readonly admission: Admission;
  readonly started: readonly string[];
  readonly room: readonly (string | undefined)[];
  enter(name: string, tenant?: string): Place;
} {
  const started: string[] = [];
  const room: (string | undefined)[] = [];
  const makeRoom = (tenant: string | undefined): boolean => room.push(tenant) > 0;
  const limits = { maxLive: 100, maxStarting: 100, maxLivePerTenant: 100, makeRoom };
  const admission = new Admission({ ...limits, ...options });
  return { admission, started, room, enter: (name, tenant) => admission.enter(tenant, () => void started.push(name)) };
}

describe('Admission', () => {
  it('lets so many start at once, and the next when one has started', () => {
    const { enter, started } = admissionOf({ maxStarting: 2 });
    const [first] = [enter('a'), enter('b'), enter('c')];
    expect(started).toEqual(['a', 'b']);
    first.started();
    expect(started).toEqual(['a', 'b', 'c']);
  });

  it('lets so many live at once, asks for room, and admits the next when one has left', () => {
    const { admission, enter, started, room } = admissionOf({ maxLive: 1 });
    const first = enter('a');
    first.started();
    enter('b');
    expect([started, room, admission.waiting]).toEqual([['a'], [undefined], 1]);
    first.leave();
    first.leave();
    expect([started, admission.live, admission.waiting]).toEqual([['a', 'b'], 1, 0]);
  });

  it('lets tenants take turns, however many of one wait', () => {
    const { enter, started } = admissionOf({ maxLive: 1 });
    const places = [enter('a1', 'a'), enter('a2', 'a'), enter('a3', 'a'), enter('b1', 'b'), enter('c1', 'c')];
    for (const name of ['a1', 'a2', 'b1', 'c1']) {
      expect(started.at(-1)).toBe(name);
      places[['a1', 'a2', 'a3', 'b1', 'c1'].indexOf(name)]?.leave();
    }
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
  });

  it('keeps a tenant to its share, and lets the others pass it', () => {
    const { admission, enter, started, room } = admissionOf({ maxLivePerTenant: 1 });
    const first = enter('a1', 'a');
    enter('a2', 'a');
    enter('b1', 'b');
    expect([started, room.includes('a'), admission.waitingOf('a')]).toEqual([['a1', 'b1'], true, 1]);
    first.leave();
    expect(started).toEqual(['a1', 'b1', 'a2']);
  });

  it('drops a request for a place that was withdrawn', () => {
    const { admission, enter, started } = admissionOf({ maxLive: 1 });
    const first = enter('a');
    enter('b').leave();
    enter('c');
    first.leave();
    expect([started, admission.waiting]).toEqual([['a', 'c'], 0]);
  });
});
