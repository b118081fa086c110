/*
 * Runs the contract suite over the store, and the example with the real CLI and a scripted model: a session begins in one
 * home and continues in an empty one.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { foldSessionSummary } from '@hexagent/sdk/claude-agent-sdk';
import { hermeticEnv, hermeticHome, requireCli, runProgram } from '@hexagent/testing/cli';
import { sessionStoreContract } from '@hexagent/testing/contracts';
import { startLoopback } from '@hexagent/testing/loopback';

// Without it there is nothing to run: Node 20 has no SQLite.
const sqlite = await import('node:sqlite').catch(() => undefined);
if (sqlite === undefined) {
  console.log(
    `SKIPPED: the example of a session store needs node:sqlite, which Node ${process.versions.node} does not have.`,
  );
  process.exit(0);
}
const { SqliteSessionStore } = await import('./sqlite-store.ts');

await keepsItsPromises();
await goesOnElsewhere();
console.log('The example of a session store did what it should.');

async function keepsItsPromises(): Promise<void> {
  const cases: [string, () => Promise<void>][] = [];
  const it = Object.assign((name: string, body: () => Promise<void>) => void cases.push([name, body]), {
    skip: (name: string) => assert.fail(`${name} was skipped`),
  });
  sessionStoreContract(
    { describe: (_, body) => body(), it },
    {
      async open() {
        const folder = await mkdtemp(join(tmpdir(), 'store-'));
        const stores: Disposable[] = [];
        const openStore = (): InstanceType<typeof SqliteSessionStore> => {
          const store = new SqliteSessionStore(join(folder, 'sessions.db'));
          stores.push(store);
          return store;
        };
        return {
          store: openStore(),
          reopen: async () => openStore(),
          async close() {
            for (const store of stores) store[Symbol.dispose]();
            await rm(folder, { recursive: true });
          },
        };
      },
      has: { listSessions: true, listSessionSummaries: true, delete: true, listSubkeys: true, reopen: true },
      fold: foldSessionSummary,
    },
  );
  for (const [name, body] of cases)
    await body().catch((cause: unknown) => assert.fail(`The store breaks a promise: it ${name}: ${String(cause)}`));
  console.log(`The store keeps its ${cases.length} promises.`);
}

async function goesOnElsewhere(): Promise<void> {
  const program = fileURLToPath(new URL('./session-store.ts', import.meta.url));
  const loopback = await startLoopback(
    ({ body }) => `I have read ${body.messages.filter(({ role }) => role === 'user').length} prompts.`,
  );
  const work = await realpath(await mkdtemp(join(tmpdir(), 'work-')));
  try {
    const answers: string[] = [];
    for (const prompt of ['Remember the number 7.', 'Which number?']) {
      await using home = await hermeticHome();
      const extra = { PWD: work, CLAUDE_CODE_PATH: requireCli({ from: import.meta.url }) };
      const env = hermeticEnv({ loopback, home, extra });
      const { stdout, stderr } = await runProgram(program, env, [prompt]);
      assert.doesNotMatch(stderr, /Not stored/);
      answers.push(stdout.trim());
      if (prompt === 'Which number?') assert.ok(!existsSync(join(home.home, '.claude/projects')), 'something was left');
    }
    const last = JSON.stringify(loopback.requests.at(-1)?.body.messages);
    assert.match(last, /Remember the number 7\..*Which number\?/s);
    assert.equal(answers.length, 2);
    for (const answer of answers) assert.match(answer, /I have read \d+ prompts\./);
  } finally {
    await loopback.close();
    await rm(work, { recursive: true, force: true });
  }
}
