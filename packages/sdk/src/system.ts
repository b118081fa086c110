import type { Ids } from '@hexagent/ports';
import { randomUuid } from '@hexagent/processes';

let count = 0;
// Two processes never share a connection, so a counter is enough; the prefix marks ours in a recording.
export const systemIds: Ids = {
  request: () => `hx_${(count += 1).toString(36)}`,
  uuid: () => randomUuid(),
};
