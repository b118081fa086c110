import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { summaryOf } from '../src/fold/labels.ts';
import { foldLines, type RunFold } from '../src/fold/run-fold.ts';
import { stateOf, waitedFor, type Agent, type ToolCall } from '../src/fold/run.ts';
import { waitsOf } from '../src/fold/waiting.ts';
import { recordedLines } from './recorded-lines.ts';

const fixtures = fileURLToPath(new URL('../../../testing/fixtures/', import.meta.url));
const recordings = globSync('{transcripts,own}/*.jsonl', { cwd: fixtures });

const recorded = (name: string): RunFold => foldLines(recordedLines(`transcripts/${name}.jsonl`));

function onlyAgent(fold: RunFold): Agent {
  const [agent, ...others] = fold.agents;
  if (agent === undefined || others.length > 0) throw new Error('There is not one agent.');
  return agent;
}

const callsOf = (agent: Agent): readonly ToolCall[] => [...agent.calls.values()];
const summaries = (fold: RunFold): readonly string[] =>
  fold.rows.map((row) => {
    const agent = fold.agent(row.agent);
    return agent === undefined ? 'no agent' : summaryOf(row, agent);
  });

describe('The fold of recorded runs', () => {
  it('reads each line of each recording, and ends a turn with each result', () => {
    expect(recordings.length).toBeGreaterThan(150);
    for (const file of recordings) {
      const lines = recordedLines(file);
      const fold = foldLines(lines);
      expect([file, fold.rows.length, fold.unread]).toEqual([file, lines.length - 1, 0]);
      const results = fold.rows.filter(({ type }) => type === 'result').length;
      const ended = fold.agents.flatMap(({ turns }) => turns).filter(({ amounts }) => amounts !== undefined);
      expect([file, ended.length]).toEqual([file, results]);
      expect(summaries(fold), file).not.toContain('undefined');
    }
  });

  it('counts the cost of each turn once, although the agent reports running totals', () => {
    const { turns } = onlyAgent(recorded('22-streaming-multi-turn-queue-priority'));
    const costs = turns.map(({ amounts }) => amounts?.cost ?? 0);
    expect(costs.map((cost) => cost.toFixed(5))).toEqual([
      '0.00000',
      '0.00014',
      '0.00014',
      '0.00014',
      '0.00000',
      '0.00014',
    ]);
  });

  it('does not count what a resumed session had spent before, and counts on where a conversation was cleared', () => {
    const costOf = (name: string): string =>
      onlyAgent(recorded(name))
        .turns.reduce((sum, { amounts }) => sum + (amounts?.cost ?? 0), 0)
        .toFixed(5);
    expect(costOf('43-resume-1-resume')).toBe('0.00014');
    expect(costOf('56-hook-events-provoked')).toBe('0.00133');
  });

  it('takes an answer that allows nothing for a denial, and does not count one in the wrong place', () => {
    const agent = onlyAgent(recorded('14-permission-raw-odd-answers'));
    const asks = [...agent.asks.values()];
    // The fourth answer allows a call with an input that the agent does not take.
    expect(asks.map(({ answer }) => answer?.outcome)).toEqual([
      'allowed',
      'denied',
      'failed',
      'allowed',
      'allowed',
      'denied',
    ]);
    expect(asks[0]?.answer?.t).toBe(1257);
    expect(callsOf(agent).map((call) => stateOf(call, agent))).toEqual([
      'done',
      'denied',
      'denied',
      'denied',
      'done',
      'denied',
    ]);
  });

  it('reports who allowed a tool, as the agent does', () => {
    const decidedBy = (name: string) => callsOf(onlyAgent(recorded(name))).map(({ decision }) => decision?.by);
    expect(decidedBy('02-tool-bash-allow-updatedInput')).toEqual(['the program']);
    expect(decidedBy('11-hook-pretooluse-allow-updatedInput')).toEqual(['a hook']);
  });

  it('gives each turn the message that the agent took for it, by its priority', () => {
    const { turns } = onlyAgent(recorded('22-streaming-multi-turn-queue-priority'));
    expect(turns.map(({ prompts }) => prompts.join())).toEqual([
      'm1',
      'm4-now',
      'm3-next',
      'm2-later',
      'm5-noquery',
      'm6',
    ]);
  });

  it('reports that the program denied a tool, after how long, and why', () => {
    const agent = onlyAgent(recorded('03-permission-suggestions-many-tools'));
    const denied = callsOf(agent).filter((call) => stateOf(call, agent) === 'denied');
    expect(denied.map(({ name }) => name)).toEqual(['Bash', 'Write', 'Read', 'Write', 'WebFetch', 'Bash', 'Bash']);
    expect(denied[0]?.asks).toMatchObject([
      {
        kind: 'permission',
        subject: 'Bash',
        answer: { by: 'the program', outcome: 'denied', reason: 'no Bash', t: 454 },
      },
    ]);
  });

  it('reports that a hook of the program denied a tool, and that nothing else was asked', () => {
    const fold = recorded('11-hook-pretooluse-deny');
    const agent = onlyAgent(fold);
    expect(callsOf(agent).map((call) => stateOf(call, agent))).toEqual(['denied']);
    expect(summaries(fold)).toContain('PreToolUse · denied by a hook of the program after 0 ms: policy says no');
  });

  it('takes the block of a hook that decides about no tool for no denial', () => {
    const agent = onlyAgent(recorded('11-hook-posttooluse-context-block'));
    expect(callsOf(agent).map((call) => stateOf(call, agent))).not.toContain('denied');
    expect([...agent.asks.values()].map(({ answer }) => answer?.outcome)).toContain('blocked');
  });

  it('finds the call that a tool of the program answers, and how long it took there', () => {
    const agent = onlyAgent(recorded('12-mcp-sdk-server-tools'));
    const [add, boom] = callsOf(agent);
    expect(add?.asks).toMatchObject([{ kind: 'tool', subject: 'calc: add', answer: { outcome: 'answered' } }]);
    expect(boom?.asks).toMatchObject([{ subject: 'calc: boom', answer: { outcome: 'failed' } }]);
    expect(add && waitedFor(add, 0)).toBe(2);
  });

  it('shows what a person answered to questions', () => {
    expect(summaries(recorded('05-ask-user-question'))).toContain(
      'AskUserQuestion · answered by the program after 9 ms: Blue',
    );
  });

  it('reports that a question was withdrawn by the agent', () => {
    const agent = onlyAgent(recorded('21-interrupt-during-permission'));
    expect([...agent.asks.values()]).toMatchObject([{ answer: { by: 'the agent', outcome: 'withdrawn' } }]);
  });

  it('separates the calls of a subagent from those of the agent, and when it ended', () => {
    const [task, bash] = callsOf(onlyAgent(recorded('35-subagent-foreground-forwardText')));
    expect(task).toMatchObject({
      name: 'Task',
      parent: undefined,
      subagent: { type: 'general-purpose', status: 'completed', to: 377 },
    });
    expect(bash).toMatchObject({
      name: 'Bash',
      parent: 'toolu_sub',
      decision: { isAllowed: true, by: 'a rule of the agent' },
    });
  });
});

const entry = (t: number, fields: object, agent = 1): string => JSON.stringify({ t, agent, ...fields });
const ask = (id: string, fields: object): object => ({
  in: { type: 'control_request', request_id: id, request: { subtype: 'can_use_tool', ...fields } },
});
const toolUse = (id: string, name: string, input: object = {}): object => ({
  in: { type: 'assistant', message: { content: [{ type: 'tool_use', id, name, input }] } },
});
const prompt = { out: { type: 'user', message: { content: 'Go.' } } };
const waits = (...lines: readonly string[]): readonly (readonly [string, number])[] =>
  foldLines(lines).agents.flatMap((agent) => waitsOf(agent).map(({ text, since }) => [text, since] as const));

describe('What is waited for', () => {
  it('is the model after a message, and nothing after its result', () => {
    const lines = [entry(5, prompt)];
    expect(waits(...lines)).toEqual([['The model answers', 5]]);
    expect(waits(...lines, entry(9, { in: { type: 'result', subtype: 'success' } }))).toEqual([]);
  });

  it('is a tool that runs, and the person who has to allow it before', () => {
    const called = [entry(1, prompt), entry(2, toolUse('a', 'Bash', { command: 'ls' }))];
    expect(waits(...called)).toEqual([['Bash runs', 2]]);
    const asked = [...called, entry(3, ask('r', { tool_name: 'Bash', tool_use_id: 'a' }))];
    expect(waits(...asked)).toEqual([['Bash waits for the program to allow or deny it', 3]]);
    const answer = {
      out: {
        type: 'control_response',
        response: { subtype: 'success', request_id: 'r', response: { behavior: 'allow' } },
      },
    };
    expect(waits(...asked, entry(8, answer))).toEqual([['Bash runs', 2]]);
  });

  it('is all of what is asked at the same time, also of several agents', () => {
    const lines = [
      entry(1, prompt),
      entry(2, ask('r', { tool_name: 'Read' })),
      entry(3, ask('s', { tool_name: 'AskUserQuestion' })),
      entry(4, ask('r', { tool_name: 'ExitPlanMode' }), 2),
    ];
    expect(waits(...lines).map(([text]) => text)).toEqual([
      'Read waits for the program to allow or deny it',
      'AskUserQuestion waits for the program to answer its questions',
      'ExitPlanMode waits for the program to approve its plan',
    ]);
  });

  it('is a program that does not read, and no more once it reads again', () => {
    const lines = [entry(1, prompt), entry(2, { pause: true })];
    expect(waits(...lines)).toContainEqual(['The program does not read', 2]);
    const fold = foldLines([
      ...lines,
      entry(10, { resume: true }),
      entry(20, { pause: true }),
      entry(25, { exit: { code: 0 } }),
    ]);
    expect(onlyAgent(fold)).toMatchObject({ pauses: 2, pausedFor: 13, pausedSince: undefined });
    expect(waits(...lines, entry(9, { resume: true }))).toEqual([['The model answers', 1]]);
  });

  it('is not a tool of the program any more, once the agent has given it up', () => {
    const lines = recordedLines('transcripts/74-interrupt-during-sdk-mcp-call.jsonl').filter(
      (line) => !line.includes('"exit"'),
    );
    const agent = onlyAgent(foldLines(lines));
    expect([...agent.asks.values()].filter(({ answer }) => answer === undefined)).toMatchObject([
      { subject: 's: slow' },
    ]);
    expect(waitsOf(agent)).toEqual([]);
  });

  it('is nothing more after a result, although a subagent still works', () => {
    const ofSubagent = { in: { type: 'assistant', parent_tool_use_id: 'x', message: { content: [] } } };
    const lines = [entry(1, prompt), entry(2, { in: { type: 'result', subtype: 'success' } }), entry(3, ofSubagent)];
    expect(onlyAgent(foldLines(lines)).turns).toHaveLength(1);
    expect(waits(...lines)).toEqual([]);
  });

  it('is nothing of an agent that has exited: its turn has not finished', () => {
    const fold = foldLines([
      entry(1, prompt),
      entry(2, ask('r', { tool_name: 'Bash' })),
      entry(3, { exit: { code: null, signal: 'SIGKILL' } }),
    ]);
    const agent = onlyAgent(fold);
    expect(waitsOf(agent)).toEqual([]);
    expect(agent).toMatchObject({ exit: 'ended by SIGKILL', hasFailed: true, turns: [{ to: 3, hasFailed: true }] });
  });
});

describe('A damaged tape', () => {
  it('is read as far as it can be, and what cannot be read is counted', () => {
    const fold = foldLines([
      '{"tape":1,"started":"2026-11-20T10:00:00.000Z"}',
      entry(1, prompt),
      'what',
      '',
      '{"t":2,"agent":1,"in":{"type":}',
    ]);
    expect([fold.started, fold.rows.length, fold.unread]).toEqual(['2026-11-20T10:00:00.000Z', 2, 1]);
    expect(fold.rows[1]).toMatchObject({ kind: 'process', type: 'not a frame', direction: 'in' });
    expect(summaries(fold)[1]).toBe('{"type":');
  });

  it('may begin in the middle, as that of a program that gave up its first lines', () => {
    const result = {
      in: { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 'x', content: 'done' }] } },
    };
    const fold = foldLines([
      entry(1, result, 7),
      entry(2, { in: { type: 'result', subtype: 'success', result: 'Yes.' } }, 7),
    ]);
    expect(onlyAgent(fold)).toMatchObject({ number: 7, turns: [{ outcome: 'success' }] });
  });
});
