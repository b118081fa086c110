import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ControlSubtype } from '@hexagent/ports';
import { allow, openSession, type Session } from '@hexagent/sdk';
import { toolUse } from '@hexagent/testing/loopback';
import { describe, expect, it } from 'vitest';
import { listRecordings, loadRecording } from '../../packages/testing/test/recordings/load-recording.ts';
import { withCli } from '../support/cli.ts';
import { requests, type Asked, type Place } from '../support/control-requests.ts';
import { stage } from '../support/stage.ts';

const greeter = { command: 'node', args: [fileURLToPath(new URL('../fixtures/greeting-server.mjs', import.meta.url))] };

withCli('The agent', () => {
  it('answers each request in the form of its type', { timeout: 60_000 }, async () => {
    await using stand = await stage(
      [
        toolUse('Write', { file_path: 'written.txt', content: 'new' }),
        toolUse('Bash', { command: 'sleep 60', run_in_background: true }),
        'Done.',
        'An answer.',
        'An answer.',
      ],
      { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: 'true' },
    );
    const settings = { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] } };
    await writeFile(join(stand.home.cwd, 'read.txt'), 'hello');
    await mkdir(join(stand.home.cwd, 'inside'));
    await using session = await openSession({
      ...stand.options,
      settings: 'project',
      tools: [{ greeter }],
      permissions: { approver: () => allow(), allow: ['Read(//tmp/**)'] },
      extraArgs: { settings: JSON.stringify(settings) },
    });
    const place = await placeOf(session, stand.home.cwd);
    const wrong: Record<string, unknown> = {};
    const entries: readonly [string, Asked<ControlSubtype> | string][] = Object.entries(requests);
    for (const [subtype, asked] of entries) {
      if (typeof asked === 'string') continue;
      const answer = await session.control.requestUntyped(subtype, { ...asked.fields(place) }).catch(String);
      const { success, error } = asked.answer.safeParse(answer);
      if (!success) wrong[subtype] = { answer, error };
    }
    expect(wrong).toEqual({});
  });
});

describe('The requests of the types', () => {
  /** Never answered: the first is none, the second was sent to an agent that had ended. */
  const unanswered = ['no_such_subtype', 'submit_feedback'];

  it('are all that a program or the official SDK was recorded to make', async () => {
    const made = new Set<string>();
    for (const { name } of await listRecordings()) {
      const { entries } = await loadRecording(name);
      for (const { dir, frame } of entries) {
        // Lines that are not frames were recorded as well.
        if (dir !== 'in' || !(frame instanceof Object) || frame.type !== 'control_request') continue;
        const request = frame['request'] as { readonly subtype?: unknown } | undefined;
        if (typeof request?.subtype === 'string') made.add(request.subtype);
      }
    }
    expect(made.size).toBeGreaterThan(30);
    expect([...made].filter((subtype) => !Object.hasOwn(requests, subtype))).toEqual(unanswered);
  });
});

/** Lets the agent change a file and start a shell in the background. */
async function placeOf(session: Session, folder: string): Promise<Place> {
  const turn = session.send('Go');
  let task = '';
  for await (const message of turn)
    if (message.type === 'system' && message.subtype === 'task_started') task = message.task_id;
  return { folder, message: turn.id, task };
}
