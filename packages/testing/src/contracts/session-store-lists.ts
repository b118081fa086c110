import { assert } from './assert.ts';
import {
  entry,
  first,
  loaded,
  main,
  ofSubagent,
  other,
  project,
  second,
  type StorePromises,
} from './session-store-fixture.ts';

const sorted = (values: Iterable<string>): readonly string[] => [...values].toSorted();

export const listing: StorePromises = {
  'lists each session of a project once': {
    needs: ['listSessions'],
    async keep({ store }) {
      assert.deepEqual(await store.listSessions(project), []);
      await store.append(main, [entry(1)]);
      await store.append(other, [entry(2)]);
      await store.append(main, [entry(3)]);
      await store.append({ ...main, projectKey: `${project}-2` }, [entry(4)]);
      const sessions = await store.listSessions(project);
      assert.deepEqual(sorted(sessions.map(({ sessionId }) => sessionId)), [first, second]);
    },
  },

  'reports in whole milliseconds when a session was written last': {
    needs: ['listSessions'],
    async keep({ store }) {
      const times = async (): Promise<ReadonlyMap<string, number>> =>
        new Map((await store.listSessions(project)).map(({ sessionId, mtime }) => [sessionId, mtime]));
      await store.append(main, [entry(1)]);
      await store.append(other, [entry(2)]);
      const before = await times();
      for (const mtime of before.values()) assert.ok(Number.isInteger(mtime) && mtime > 0, `${mtime} is no time`);
      await store.append(main, [entry(3)]);
      const after = await times();
      assert.ok((after.get(first) ?? 0) >= (before.get(second) ?? Infinity), 'what was written last is not the newest');
      assert.equal(after.get(second), before.get(second));
    },
  },

  'lists no session of which only another transcript was written': {
    needs: ['listSessions'],
    async keep({ store }) {
      await store.append(ofSubagent, [entry(1)]);
      assert.deepEqual(await store.listSessions(project), []);
    },
  },

  'lists the subpaths of a session, each once': {
    needs: ['listSubkeys'],
    async keep({ store }) {
      assert.deepEqual(await store.listSubkeys(main), []);
      const deep = 'subagents/workflows/w_1%/agent-b';
      await store.append(main, [entry(1)]);
      for (const subpath of [ofSubagent.subpath ?? '', deep, deep])
        await store.append({ ...main, subpath }, [entry(2)]);
      await store.append({ ...other, subpath: 'subagents/agent-of-another' }, [entry(3)]);
      assert.deepEqual(sorted(await store.listSubkeys(main)), ['subagents/agent-a1', deep]);
    },
  },
};

export const summaries: StorePromises = {
  'has a summary of each session, folded over all that was appended': {
    needs: ['listSessionSummaries', 'fold'],
    async keep({ store, fold }) {
      const batches = [
        [entry(1, { cwd: '/a', message: { role: 'user', content: 'the first prompt' } })],
        [entry(2, { cwd: '/b', gitBranch: 'main' }), { type: 'custom-title', customTitle: 'A title' }],
        [{ type: 'tag', tag: 'a tag' }],
      ];
      for (const entries of batches) await store.append(main, entries);
      const [summary, ...more] = await store.listSessionSummaries(project);
      assert.deepEqual(more, []);
      const expected = fold(undefined, main, batches.flat());
      assert.deepEqual(summary?.data, expected.data);
      assert.equal(summary?.sessionId, first);
    },
  },

  'counts nothing of other transcripts among its summaries': {
    needs: ['listSessionSummaries'],
    async keep({ store }) {
      await store.append(main, [{ type: 'custom-title', customTitle: 'A title' }]);
      const before = await store.listSessionSummaries(project);
      await store.append(ofSubagent, [entry(1), { type: 'custom-title', customTitle: 'Another' }]);
      await store.append({ ...main, projectKey: `${project}-2` }, [entry(2)]);
      assert.deepEqual(
        (await store.listSessionSummaries(project)).map(({ data }) => data),
        before.map(({ data }) => data),
      );
    },
  },

  'gives its summaries the times of its list': {
    needs: ['listSessions', 'listSessionSummaries'],
    async keep({ store }) {
      await store.append(main, [entry(1)]);
      await store.append(other, [entry(2)]);
      await store.append(ofSubagent, [entry(3)]);
      const times = (list: readonly { sessionId: string; mtime: number }[]): readonly string[] =>
        sorted(list.map(({ sessionId, mtime }) => `${sessionId} ${mtime}`));
      assert.deepEqual(times(await store.listSessionSummaries(project)), times(await store.listSessions(project)));
    },
  },
};

export const deleting: StorePromises = {
  'deletes a session with everything that belongs to it, and nothing else': {
    needs: ['delete'],
    async keep({ store }) {
      for (const key of [main, ofSubagent, other, { ...main, projectKey: `${project}-2` }])
        await store.append(key, [entry(1)]);
      await store.delete(main);
      assert.equal(await store.load(main), null);
      assert.equal(await store.load(ofSubagent), null);
      assert.equal((await loaded(store, other)).length, 1);
      assert.equal((await loaded(store, { ...main, projectKey: `${project}-2` })).length, 1);
    },
  },

  'lists nothing of a session that it deleted': {
    needs: ['delete', 'listSessions', 'listSubkeys'],
    async keep({ store }) {
      for (const key of [main, ofSubagent]) await store.append(key, [entry(1)]);
      await store.delete(main);
      assert.deepEqual(await store.listSessions(project), []);
      assert.deepEqual(await store.listSubkeys(main), []);
    },
  },

  'summarises nothing of a session that it deleted': {
    needs: ['delete', 'listSessionSummaries'],
    async keep({ store }) {
      await store.append(main, [{ type: 'custom-title', customTitle: 'Old' }]);
      await store.delete(main);
      assert.deepEqual(await store.listSessionSummaries(project), []);
      await store.append(main, [entry(1)]);
      assert.ok(!JSON.stringify(await store.listSessionSummaries(project)).includes('Old'));
    },
  },

  'takes what was deleted anew': {
    needs: ['delete'],
    async keep({ store }) {
      await store.append(main, [entry(1), entry(2)]);
      await store.delete(main);
      await store.append(main, [entry(2)]);
      assert.deepEqual(await loaded(store, main), [entry(2)]);
    },
  },

  'deletes one transcript where a subpath is named': {
    needs: ['delete'],
    async keep({ store }) {
      for (const key of [main, ofSubagent]) await store.append(key, [entry(1)]);
      await store.delete(ofSubagent);
      assert.equal(await store.load(ofSubagent), null);
      assert.equal((await loaded(store, main)).length, 1);
    },
  },

  'deletes what does not exist without an error': {
    needs: ['delete'],
    async keep({ store }) {
      await store.delete(main);
      await store.delete(ofSubagent);
    },
  },
};
