import { describe, expect, it } from 'vitest';
import { randomUuid } from '@hexagent/processes';

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('randomUuid', () => {
  it('makes uuids of version 4, each another one', () => {
    const uuids = Array.from({ length: 1000 }, () => randomUuid());
    for (const uuid of uuids) expect(uuid).toMatch(form);
    expect(new Set(uuids).size).toBe(1000);
  });

  it.each(['/no/such/device', '/dev/null', process.execPath])('makes them where %s is the device', (device) => {
    const uuids = Array.from({ length: 200 }, () => randomUuid(device));
    for (const uuid of uuids) expect(uuid).toMatch(form);
    expect(new Set(uuids).size).toBe(200);
  });
});
