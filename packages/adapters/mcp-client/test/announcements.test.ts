import { Deferred } from '@hexagent/async';
import type { JsonRpcMessage } from '@hexagent/ports';
import { microtasks } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import { Announcements } from '../src/announcements.ts';

const news = (method: string): JsonRpcMessage => ({ jsonrpc: '2.0', method });

describe('Notifications that an agent does not read', () => {
  it('are bounded, of which the program is warned once; that a list has changed is never lost', async () => {
    const sent: (string | undefined)[] = [];
    const notices: string[] = [];
    const reading = new Deferred<void>();
    const client = {
      send: async ({ method }: JsonRpcMessage) => (sent.push(method), await reading.promise),
      mistaken: (what: string) => void notices.push(what),
    };
    const announcements = new Announcements(client, 'loud');
    for (let count = 0; count < 100_000; count += 1) {
      announcements.send(news('notifications/message'));
      announcements.send(news('notifications/tools/list_changed'));
    }
    announcements.send(news('notifications/prompts/list_changed'));
    expect(sent).toHaveLength(1000);
    expect(notices).toEqual([expect.stringContaining('The MCP server loud sends notifications faster than')]);
    reading.resolve();
    await microtasks();
    expect(sent.slice(1000)).toEqual(['notifications/tools/list_changed', 'notifications/prompts/list_changed']);
    announcements.send(news('notifications/message'));
    expect(sent).toHaveLength(1003);
  });

  it('do not count when the agent has exited', async () => {
    let count = 0;
    const announcements = new Announcements(
      { send: async () => ((count += 1), Promise.reject(new Error('gone'))) },
      'x',
    );
    for (let round = 0; round < 3; round += 1) {
      for (let sent = 0; sent < 900; sent += 1) announcements.send(news('notifications/message'));
      await microtasks();
    }
    expect(count).toBe(2700);
  });
});
