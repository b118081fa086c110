import type { Ids } from '@hexagent/ports';

let count = 0;
// Two processes never share a connection, so a counter is enough; the prefix marks ours in a recording.
export const systemIds: Ids = {
  request: () => `hx_${(count += 1).toString(36)}`,
  uuid: () => crypto.randomUUID(),
};
