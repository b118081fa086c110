import { openSession, type Session, type ToolOutputMessage, type Turn } from '@hexagent/sdk';
import { toolUse, type Script } from '@hexagent/testing/loopback';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { stage, type Stage } from '../support/stage.ts';

interface Running {
  readonly place: Stage;
  readonly session: Session;
}

async function running(script: Script, use: (running: Running) => Promise<void>): Promise<void> {
  await using place = await stage(script);
  const permissions = { allow: ['Bash'], deny: ['Bash(rm *)'] };
  await using session = await openSession({ ...place.options, permissions, toolOutput: true });
  await use({ place, session });
}

function isOutput(message: { readonly type: string }): message is ToolOutputMessage {
  return message.type === 'hexagent';
}

async function outputsOf(
  turn: Turn,
  onOutput: (output: ToolOutputMessage) => void = () => {},
): Promise<ToolOutputMessage[]> {
  const outputs: ToolOutputMessage[] = [];
  for await (const message of turn) {
    if (!isOutput(message)) continue;
    outputs.push(message);
    onOutput(message);
  }
  return outputs;
}

const joined = (outputs: readonly ToolOutputMessage[], id?: string): string =>
  outputs.flatMap((each) => (id === undefined || each.tool_use_id === id ? [each.text] : [])).join('');

/** Waits for a file that the test writes when it has seen enough. */
const waitFor = (file: string): string => `until [ -e ${file} ]; do sleep 0.05; done`;
/** Milliseconds since 1970, written by the command. */
const now = 'date +%s%3N';

withCli('The output of a running command', () => {
  it('comes while it runs, in its order, without changing its result', async () => {
    const command = `${now}; echo to stderr >&2; ${waitFor('seen')}; echo é; exit 3`;
    await running([[toolUse('Bash', { command })], 'done'], async ({ place, session }) => {
      let late: number | undefined;
      const outputs = await outputsOf(session.send('go'), ({ text: written }) => {
        late ??= Date.now() - Number.parseInt(written, 10);
        if (written.includes('stderr')) void writeFile(join(place.home.cwd, 'seen'), '');
      });
      expect(joined(outputs)).toMatch(/^\d+\nto stderr\né\n$/);
      expect(late).toBeLessThan(1500); // 25 ms is usual; a busy machine may need longer
      expect(outputs[0]).toMatchObject({
        type: 'hexagent',
        subtype: 'tool_output',
        parent_tool_use_id: null,
        skipped_bytes: 0,
      });
      expect(JSON.stringify(place.loopback.requests.at(-1))).toContain('Exit code 3');
    });
  });

  it('of calls in parallel is that of each', async () => {
    const command = (name: string): string => `echo ${name}; ${waitFor('seen')}; echo end of ${name}`;
    const calls = [toolUse('Bash', { command: command('a') }), toolUse('Bash', { command: command('b') })];
    await running([calls, 'done'], async ({ place, session }) => {
      const ids = new Map<string, string>();
      const outputs = await outputsOf(session.send('go'), ({ tool_use_id: id, text: written }) => {
        ids.set(written.trim(), id);
        if (ids.has('a') && ids.has('b')) void writeFile(join(place.home.cwd, 'seen'), '');
      });
      for (const name of ['a', 'b']) expect(joined(outputs, ids.get(name))).toBe(`${name}\nend of ${name}\n`);
    });
  });

  it('is not there for a command that writes nothing, nor for one that is denied', async () => {
    const calls = [
      toolUse('Bash', { command: 'sleep 0.5' }),
      toolUse('Bash', { command: 'echo x; rm -f y; sleep 0.5' }),
    ];
    await running([calls, 'done'], async ({ session }) => {
      expect(await outputsOf(session.send('go'))).toEqual([]);
    });
  });

  it('ends with an interrupt', async () => {
    await running([[toolUse('Bash', { command: 'echo begun; sleep 600' })], 'done'], async ({ session }) => {
      const turn = session.send('go');
      const outputs = await outputsOf(turn, () => void turn.interrupt());
      expect(joined(outputs)).toBe('begun\n');
      expect(await turn.result).toMatchObject({ kind: 'interrupted' });
    });
  });

  it('of a background command continues behind its turn, to its end', async () => {
    const command = `echo begun; ${waitFor('seen')}; echo ended`;
    const script = [[toolUse('Bash', { command, run_in_background: true })], 'started', 'reported'];
    await running(script, async ({ place, session }) => {
      const events = session.events();
      expect(await session.send('go').text()).toBe('started');
      await writeFile(join(place.home.cwd, 'seen'), '');
      const outputs: ToolOutputMessage[] = [];
      for await (const event of events) {
        if (event.kind === 'message' && isOutput(event.message)) outputs.push(event.message);
        if (
          event.kind === 'message' &&
          event.message.type === 'system' &&
          event.message.subtype === 'task_notification'
        )
          break;
      }
      // The agent adds how it ended, before or behind the message that reports that.
      expect(joined(outputs)).toMatch(/^begun\nended\n(\n\[exited with code 0\]\n)?$/);
    });
  });

  it('of 100 MB takes little memory, and reports what was left out', async () => {
    const command = `head -c 100000000 /dev/zero | tr '\\0' x; ${waitFor('seen')}`;
    await running([[toolUse('Bash', { command })], 'done'], async ({ place, session }) => {
      const before = process.memoryUsage().rss;
      let peak = before;
      const outputs = await outputsOf(session.send('go'), ({ total_bytes: total }) => {
        peak = Math.max(peak, process.memoryUsage().rss);
        if (total === 100_000_000) void writeFile(join(place.home.cwd, 'seen'), '');
      });
      const skipped = outputs.reduce((sum, { skipped_bytes: bytes }) => sum + bytes, 0);
      expect(joined(outputs).length + skipped).toBe(100_000_000);
      expect((peak - before) / 2 ** 20).toBeLessThan(20);
    });
  });
});
