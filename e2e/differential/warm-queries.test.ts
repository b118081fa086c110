import { describe, expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { obliging } from './behaviours.ts';
import { envOf, flagsOf, orderOf, stdinOf } from './comparable.ts';
import { failureOf, failsAlike, messageOf } from './failing-alike.ts';
import { runReal } from './real.ts';
import { compare, run, sides, type Program } from './run.ts';
import type { Behaviour } from './stand-in.ts';

const unanswered: Behaviour = obliging({ request: () => null });

/** Is killed once it has introduced itself. */
const dying: Behaviour = (agent) => {
  obliging()(agent);
  agent.listen({ frame: () => agent.kill('SIGKILL') });
};

describe('startup()', () => {
  it.each(['text', 'stream'] as const)(
    'starts the agent, and writes the %s to it when it is asked, as officially',
    async (form) => {
      const program: Program = async ({ startup }, { options, note }) => {
        const warm = await startup({ options: { ...options, model: 'm', canUseTool: async () => null } });
        note('members', Reflect.ownKeys(warm).map(String).toSorted());
        const running = warm.query(form === 'text' ? 'hello' : messageOf('hello'));
        running.setModel('other').catch(() => {});
        return running;
      };
      const { official, ours } = await compare(program);
      const [theirs, our] = [official.launches[0], ours.launches[0]];
      if (theirs === undefined || our === undefined) throw new Error('Nothing was started.');
      expect(flagsOf(our)).toEqual(flagsOf(theirs));
      expect(orderOf(our)).toEqual(orderOf(theirs));
      expect(ours.notes).toEqual(official.notes);
      expect(ours.messages.map(({ type }) => type)).toEqual(official.messages.map(({ type }) => type));
      expect(ours.thrown).toBeUndefined();
      // It has the CLI report how far its start is, which no test here reads.
      const { CLAUDE_CODE_SDK_READS_STARTUP_MARKS: marks, ...env } = envOf(theirs);
      expect(marks).toBe('1');
      expect(Object.keys(envOf(our))).toEqual(expect.arrayContaining(Object.keys(env)));
      expect(Object.keys(envOf(our))).not.toContain('CLAUDE_CODE_SDK_READS_STARTUP_MARKS');
    },
  );

  it.each<[string, Program, Behaviour?]>([
    [
      'is asked twice',
      async ({ startup }, { options, note }) => {
        const warm = await startup({ options });
        const running = warm.query('hello');
        note('failure', await failureOf(() => warm.query('again')));
        return running;
      },
    ],
    [
      'was closed',
      async ({ startup }, { options, note }) => {
        const warm = await startup({ options });
        warm.close();
        warm.close();
        note('failure', await failureOf(() => warm.query('again')));
      },
    ],
    [
      'does not answer in time',
      async ({ startup }, { options, note }) => {
        note('failure', await failureOf(() => startup({ options, initializeTimeoutMs: 3000 })));
      },
      unanswered,
    ],
    [
      'refuses to be set up',
      async ({ startup }, { options, note }) => note('failure', await failureOf(() => startup({ options }))),
      obliging({ request: () => new Error('Not today.') }),
    ],
    [
      'leaves before it has introduced itself',
      async ({ startup }, { options, note }) => note('failure', await failureOf(() => startup({ options }))),
      obliging({
        request: (_, agent) => {
          agent.stderr('bad things\n');
          agent.exit(3);
          return null;
        },
      }),
    ],
    [
      'is aborted before',
      async ({ startup }, { options, note }) => {
        const abortController = new AbortController();
        abortController.abort();
        note('failure', await failureOf(() => startup({ options: { ...options, abortController } })));
      },
    ],
    [
      'is aborted while it starts',
      async ({ startup }, { options, note }) => {
        const abortController = new AbortController();
        const starting = failureOf(() => startup({ options: { ...options, abortController } }));
        setTimeout(() => abortController.abort(), 300);
        note('failure', await starting);
      },
      unanswered,
    ],
    [
      'is aborted while it waits',
      async ({ startup }, { options, note }) => {
        const abortController = new AbortController();
        const warm = await startup({ options: { ...options, abortController } });
        abortController.abort();
        note('failure', await failureOf(async () => await warm.query('hello').next()));
      },
    ],
  ])('fails as in the official package when the agent %s', async (_, program, standIn = obliging()) => {
    const { official, ours } = await compare(program, { standIn });
    failsAlike(ours.notes, official.notes);
    expect(ours.launches.map(orderOf)).toEqual(official.launches.map(orderOf));
    expect({ thrown: ours.thrown, hangs: ours.hangs }).toEqual({ thrown: official.thrown, hangs: official.hangs });
  });

  it.each(sides)('fails when the agent dies while it waits, at the start or when it is asked: %s', async (side) => {
    const program: Program = async ({ startup }, { options, note }) => {
      const ask = async (): Promise<void> => {
        const warm = await startup({ options });
        for await (const message of warm.query('hello')) void message;
      };
      note('failure', await failureOf(ask));
    };
    const { notes, hangs } = await run(side, program, { standIn: dying });
    expect({ failed: notes['failure'] !== undefined, hangs }).toEqual({ failed: true, hangs: false });
  });

  it('leaves its own close() without effect once it was asked, and its disposal with one, as in the official package', async () => {
    const program: Program = async ({ startup }, { options, note }) => {
      const warm = await startup({ options });
      const running = warm.query('hello');
      await running.next();
      warm.close();
      note('lives', await running.mcpServerStatus());
      await warm[Symbol.asyncDispose]();
      note('over', await failureOf(async () => await running.next()));
    };
    const standIn = obliging({
      message: (_, agent) => {
        agent.write({ type: 'system', subtype: 'status', status: null, session_id: 's', uuid: 'u' });
        return true;
      },
      request: (frame) => (JSON.stringify(frame).includes('mcp_status') ? { mcpServers: [] } : undefined),
    });
    const { official, ours } = await compare(program, { standIn });
    expect(official.notes).toEqual({ lives: [], over: undefined });
    expect(ours.notes).toEqual(official.notes);
  });

  it.each<[unknown, string]>([
    ['x', 'startup() takes an object'],
    [null, 'startup() takes an object'],
    [{ options: 5 }, '`options` must be a plain object'],
    [{ options: { canUseTool: 5 } }, '`canUseTool` must be a function'],
    [{ initializeTimeoutMs: 0 }, '`initializeTimeoutMs` must be a number of milliseconds above 0'],
    [{ initializeTimeoutMs: Number.NaN }, '`initializeTimeoutMs` must be'],
    [{ initializeTimeoutMs: '5' }, '`initializeTimeoutMs` must be'],
  ])('refuses %j before anything is started', async (params, message) => {
    const { notes, launches } = await run('ours', async ({ startup }, { note }) => {
      note('failure', await failureOf(() => startup(params as never)));
    });
    expect(notes['failure']).toMatchObject({ name: 'TypeError', message: expect.stringContaining(message) });
    expect(launches).toEqual([]);
  });
});

withCli('startup() of the real CLI', () => {
  it.each(sides)('gives an agent that answers, and more than once by a stream: %s', async (side) => {
    const program: Program = async ({ startup }, { options, note }) => {
      const warm = await startup({ options: { ...options, title: 'Warm' } });
      const running = warm.query(messageOf('one', 'two'));
      note('commands', (await running.supportedCommands()).length > 0);
      return running;
    };
    const { messages, notes, thrown } = await runReal(side, program, ['first', 'second']);
    expect(thrown).toBeUndefined();
    expect(notes).toEqual({ commands: true });
    const results = messages.filter(({ type }) => type === 'result').map(({ result }) => result);
    expect(results.at(-1)).toMatch(/first|second/);
  });
});

it('the frames of a warm agent are those of a query', async () => {
  const warm = await run('ours', async ({ startup }, { options }) => (await startup({ options })).query('hello'));
  const cold = await run('ours', ({ query }, { options }) => query({ prompt: 'hello', options }));
  expect(warm.launches.map(stdinOf)).toEqual(cold.launches.map(stdinOf));
});
