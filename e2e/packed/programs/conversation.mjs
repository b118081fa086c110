// Copied by packed.mjs into the empty project and run there by Bun, by Deno and by each Node, from the tarballs, with the
// real CLI and a scripted model: what a runtime must be able to do for a session. It must run on Node 20.19.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { allow, createSdkMcpServer, openSession, tool } from '@hexagent/sdk';
import { query } from '@hexagent/sdk/claude-agent-sdk';
import { hermeticEnv, hermeticHome, processesMentioning, survivors } from '@hexagent/testing/cli';
import { hang, startLoopback, text, toolUse } from '@hexagent/testing/loopback';

/** A home and a model of its own, and after it the proof that nothing of it runs any more. */
async function stage(script, act) {
  const [home, loopback] = await Promise.all([hermeticHome(), startLoopback(script)]);
  const executable = process.env.CLAUDE_CODE_PATH;
  const set = hermeticEnv({ loopback, home, extra: { CLAUDE_CODE_PATH: executable } });
  try {
    await act({ home, set, options: { cwd: home.cwd, executable, env: { policy: 'exact', set } } });
    const left = processesMentioning(home.root).map(({ pid }) => pid);
    assert.deepEqual(await survivors(left, 10_000), []);
  } finally {
    await loopback.close();
    await home.remove();
  }
}

const add = tool('add', 'Adds two numbers', { type: 'object', properties: {} }, ({ a, b }) => ({
  content: [{ type: 'text', text: String(a + b) }],
}));

const scenes = {
  'an own tool, an approver and a hook': async () => {
    const script = [toolUse('mcp__calc__add', { a: 2, b: 3 }), toolUse('Bash', { command: 'touch made' }), 'done'];
    await stage(script, async ({ home, options }) => {
      const seen = [];
      const hook = ({ tool_name }) => void seen.push(tool_name);
      const session = await openSession({
        ...options,
        tools: [{ calc: createSdkMcpServer({ name: 'calc', tools: [add] }) }],
        permissions: { allow: ['mcp__calc'] },
        onAsk: () => allow(),
        hooks: { PreToolUse: [{ hooks: [hook] }] },
      });
      const outcome = await session.send('go').result;
      assert.deepEqual([outcome.kind, outcome.text], ['completed', 'done']);
      assert.deepEqual(seen, ['mcp__calc__add', 'Bash']);
      assert.ok(existsSync(path.join(home.cwd, 'made')));
      assert.equal((await session.finish()).code, 0);
    });
  },
  'an interrupt in the middle of a stream': async () => {
    const silence = hang();
    await stage([[text(['hel', silence])], 'again'], async ({ options }) => {
      const session = await openSession({ ...options, partialMessages: true });
      const turn = session.send('hi');
      await silence.reached;
      assert.equal(await turn.interrupt(), 'interrupted');
      assert.equal((await session.send('more').result).text, 'again');
      await session.close();
    });
  },
  'an agent that is killed': async () => {
    const silence = hang();
    await stage([[text(['hel', silence])]], async ({ options }) => {
      const session = await openSession(options);
      const turn = session.send('hi');
      await silence.reached;
      process.kill((await session.ready).pid, 'SIGKILL');
      await assert.rejects(turn.result, { code: 'AGENT_EXITED', signal: 'SIGKILL' });
      await session.close();
    });
  },
  'a query() that is left early': async () => {
    const silence = hang();
    await stage([[text(['hel', silence])]], async ({ home, set, options }) => {
      const asked = { cwd: home.cwd, env: set, pathToClaudeCodeExecutable: options.executable };
      const messages = query({ prompt: 'hi', options: asked });
      for await (const message of messages) if (message.type === 'system') break;
      await messages[Symbol.asyncDispose]();
    });
  },
  'a wrong option': async () => {
    await assert.rejects(openSession({ allowedTools: ['Read'] }), /Did you mean `permissions\.allow`/);
  },
  'the death of the program': async () => {
    const log = ({ home }) => path.join(home.cwd, 'log');
    let follow = '';
    await stage(
      () => toolUse('Bash', { command: follow }),
      async (place) => {
        follow = `touch log; tail -f '${log(place)}'`;
        const env = { ...place.set, HEXAGENT_DIES: JSON.stringify({ options: place.options, log: log(place) }) };
        const file = fileURLToPath(import.meta.url);
        const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
        const [output] = await once(child.stdout, 'data');
        const pids = JSON.parse(String(output));
        assert.ok(pids.length > 1);
        child.kill('SIGKILL');
        await once(child, 'exit');
        assert.deepEqual(await survivors(pids, 10_000), []);
      },
    );
  },
};

/** The program that dies: once its tool runs, it prints the pids. */
async function die({ options, log }) {
  const session = await openSession({ ...options, permissions: { allow: ['Bash'] } });
  const { pid } = await session.ready;
  session.send('go').result.catch(() => {}); // it has no end
  for (;;) {
    const tools = processesMentioning(`tail -f ${log}`).map((entry) => entry.pid);
    if (tools.length > 0) return console.log(JSON.stringify([pid, ...tools]));
    await new Promise((resolve) => setTimeout(resolve, 20)); // a process that is not a child of ours can only be polled
  }
}

if (process.env.HEXAGENT_DIES === undefined) {
  for (const [name, act] of Object.entries(scenes)) {
    await act();
    console.log(`ok  ${name}`);
  }
} else await die(JSON.parse(process.env.HEXAGENT_DIES));
