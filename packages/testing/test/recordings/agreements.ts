import { gate, reply, type AgentScript, type Gate, type TurnScript } from '@hexagent/testing';
import type { RecordedFrame } from './load-recording.ts';

/** The scripts with which the scripted agent writes the same frames as the CLI in a recording. */
export interface Agreement {
  readonly script: AgentScript;
  /** Opened one by one where the recorded CLI continued by itself. */
  readonly gates?: readonly Gate[];
  /** Frames that are left out of the comparison, on both sides. */
  readonly without?: (frame: RecordedFrame) => boolean;
}

const bash = (command: string, options = {}) => reply.tool('Bash', { command }, options);
const turns = (...all: readonly TurnScript[]): Agreement => ({ script: { turns: all } });
/** A gate that opens when the recorded CLI continues. */
const held = (): Gate => gate();

/** A result with a text of the CLI's own, which a script does not have. */
const isToolResult = (frame: RecordedFrame): boolean =>
  frame.type === 'user' && JSON.stringify(frame['message']).includes('"tool_result"');
const isSubtype =
  (...subtypes: readonly string[]) =>
  (frame: RecordedFrame): boolean =>
    subtypes.includes(String(frame.subtype));

function shell(...script: readonly TurnScript[]): Agreement {
  return { ...turns(...script), without: isToolResult };
}

/** A background shell that ends by itself. */
function endingShell(
  command: string,
  rest: readonly string[],
  options: { fails?: boolean; later?: readonly string[]; report?: string } = {},
): Agreement {
  const until = held();
  const { fails, later = [], report = 'reported' } = options;
  const first = [reply.shell(command, { until, report, fails }), ...rest];
  return { ...turns(first, ...later), gates: [until], without: isToolResult };
}

export const agreements: Readonly<Record<string, () => Agreement>> = {
  '01-string-prompt-minimal': () => turns('The answer is 4.'),
  '02-tool-bash-allow-updatedInput': () => {
    const input = { command: 'touch a.txt && echo one', description: 'make file' };
    const result = ({ command }: Readonly<Record<string, unknown>>) => String(command).slice('echo '.length);
    return turns(['Running.', reply.tool('Bash', input, { asks: true, result }), 'Done.']);
  },
  '04-deny-with-interrupt': () => turns([bash('touch z', { asks: true })]),
  '11-hook-pretooluse-allow-updatedInput': () => turns([bash('touch q', { asks: true, result: 'swapped' }), 'Done.']),
  '11-hook-pretooluse-ask': () => turns([bash('echo hi', { result: 'hi' }), 'Done.']),
  '11-hook-pretooluse-deny': () => turns([bash('echo hi'), 'Done.']),
  '11-hook-posttooluse-context-block': () => turns([bash('echo hi', { result: 'hi' }), 'Done.']),
  '11-hook-stop-block-once': () => turns('first', 'second'),
  '11-hook-throws': () => turns([bash('echo hi', { result: 'hi' }), 'Done.']),
  '11-hook-throws-onFailure-block': () => turns([bash('echo hi', { result: 'hi' }), 'Done.']),
  '11-hook-userpromptsubmit-block': () => turns(),
  '12-mcp-sdk-server-ask-parallel': () => {
    const slow = reply.tool('mcp__calc__slow', {}, { asks: true });
    return turns([slow, slow, 'Done.']);
  },
  '15-bad-line-array': () => turns('still alive'),
  '15-bad-line-ctl-request-null': () => turns(),
  '15-bad-line-ctl-response-flat': () => turns('still alive'),
  '15-bad-line-no-type': () => turns('still alive'),
  '15-bad-line-not-json': () => turns(),
  '15-bad-line-null': () => turns(),
  '15-bad-line-number': () => turns('still alive'),
  '15-bad-line-unknown-type': () => turns('still alive'),
  '15-bad-line-user-bare': () => turns('still alive', 'still alive'),
  '15-bad-line-user-no-message': () => turns(),
  '15-bad-line-user-wrong-role': () => turns(),
  '16-initialize-described-shape': () => turns([bash('echo hi', { result: 'hi' }), 'ok']),
  '16-initialize-late-and-twice': () => {
    const until = held();
    return { ...turns([reply.text([until, 'r0'])], 'r1'), gates: [until], without: isSubtype('session_title_changed') };
  },
  '16-no-initialize': () => turns('fine without initialize'),
  '21-interrupt-during-permission': () => turns([bash('touch q', { asks: true })]),
  '21-interrupt-during-stream': () => turns([reply.text(['word '.repeat(24), held()])], 'after'),
  '21-interrupt-during-tool': () => turns([bash('sleep 20', { until: held() })], 'after'),
  '22-replay-user-messages': () => ({ ...turns('a', 'b'), without: isSubtype('session_state_changed') }),
  '22-streaming-multi-turn-queue-priority': () =>
    turns([reply.hold(held())], 'reply 1', 'reply 2', 'reply 3', 'reply 4'),
  '30-partial-messages-text-thinking-tool': () => ({
    ...turns([
      reply.thinking(['let me think', ' a bit']),
      reply.text(['I will run i', 't now.']),
      reply.tool('Bash', { command: 'echo hi', description: 'say' }, { result: 'hi' }),
      'Done.',
    ]),
    // The recorded model sent the tool's input in two pieces.
    without: (frame) => JSON.stringify(frame).includes('input_json_delta'),
  }),
  '33-api-400': () => turns([reply.apiError(400, 'API Error: 400 bad things')]),
  '35-subagent-background-default': () => {
    const until = held();
    return {
      ...turns([reply.subagent('d', { prompt: 'SUBPROMPT', until, report: 'All done.' }), 'All done.']),
      gates: [until],
      // The messages of a subagent are not played.
      without: (frame) => isToolResult(frame) || frame['agent_id'] !== undefined || frame.subtype === 'task_progress',
    };
  },
  '37-parallel-read-permissions': () => {
    const gates = [held(), held()];
    const reads = gates.map((until, index) => {
      const input = { file_path: `/work/other/o${index + 1}.txt` };
      return reply.tool('Read', input, { asks: true, readOnly: true, until, result: `1\t${index + 1}` });
    });
    return { ...turns([...reads, 'x']), gates };
  },
  '40-stdin-close-generator-two-messages': () => turns('x0', 'x1'),
  '40-two-messages-canUseTool-second-asks': () =>
    turns('x0', [bash('touch a', { asks: true, result: '(Bash completed with no output)' }), 'end']),
  '43-resume-0-first-session': () => turns('first answer', 'second answer'),
  '44-eof-during-hook': () => turns([bash('echo q'), 'after']),
  '44-eof-nothing-sent': () => turns(),
  '44-eof-right-after-user': () => turns('x'),
  '44-eof-with-pending-permission': () => turns([bash('touch q', { asks: true }), 'after']),
  '74-interrupt-during-sdk-mcp-call': () => turns([reply.tool('mcp__s__slow')], 'after'),
  '75-interrupt-cancel-queued': () => turns([reply.text(['word '.repeat(22).slice(0, 108), held()])]),
  '79-await-initialize-user-first': () => turns(),
  '87-eof-mid-stream-with-queue': () => turns('x0', 'x1'),
  '90-permission-never-answered': () => turns([bash('touch 1', { asks: true }), 'x']),
  '93-mcp-tool-call-never-answered-then-eof': () => turns([reply.tool('mcp__s__t'), 'x']),
  'h-cancel-queued': () => turns([reply.text(['one ', held()])]),
  'h-eof-before-ask': () => turns([bash('touch a', { asks: true }), 'second']),
  'h-eof-before-hook': () => turns([bash('echo a'), 'second']),
  'h-interrupt-before-init': () => turns([reply.hold(held())], 'never'),
  'h-interrupt-cold': () => turns([reply.hold(held())]),
  'h-interrupt-during-hook': () => turns([bash('echo a')]),
  'h-interrupt-idle-with-shell': () => shell([reply.shell('sleep 3'), 'x']),
  'h-interrupt-second-permission': () => {
    const touch = (name: string) => bash(`touch ${name}`, { asks: true, result: '(Bash completed with no output)' });
    return turns([touch('a'), touch('b')]);
  },
  'h-interrupt-streaming-partial': () => turns([reply.text(['one ', 'two ', held(), 'three'])]),
  'h-interrupt-waiting-for-model': () => turns([reply.hold(held())]),
  'h-now-during-stream': () => turns([reply.text(['one ', 'two ', held(), 'three'])], 'second'),
  'h-now-during-tool': () => {
    const until = held();
    return {
      ...turns([bash('sleep 5', { until, result: '(Bash completed with no output)' })], 'second'),
      gates: [until],
      // The progress that a long foreground command reports is not played.
      without: isSubtype('task_started', 'task_notification'),
    };
  },
  'h-partial-two-tools': () => {
    const [a, b] = [held(), held()];
    const echo = (letter: string, until: Gate) => bash(`echo ${letter}`, { result: letter, readOnly: true, until });
    return { ...turns(['A', echo('a', a), echo('b', b), 'x']), gates: [b, a] };
  },
  'h-repeated-uuid': () => turns('a', 'b'),
  'h-shell-ends-while-idle': () => endingShell('sleep 1.5; echo hello', ['started']),
  'h-shell-eof': () => endingShell('sleep 2; echo hello', ['started']),
  'h-shell-fails-while-idle': () => endingShell('sleep 1; exit 3', ['started'], { fails: true }),
  'h-shell-interrupt-eof': () => shell([reply.shell('sleep 4'), reply.text(['one ', held()])]),
  'h-shell-interrupt-turn-eof': () => endingShell('sleep 4', ['a'], { later: ['b'], report: 'report' }),
  // `running` came late in this one.
  'h-shell-over-turns-eof': () => ({
    ...endingShell('sleep 4', ['a'], { later: ['b'], report: 'report' }),
    without: (frame) => isToolResult(frame) || frame['state'] === 'running',
  }),
  'h-shell-ends-during-turn': () => {
    const [ends, goesOn] = [held(), held()];
    return {
      ...turns([reply.shell('sleep 1; echo hello', { until: ends }), bash('sleep 2', { until: goesOn }), 'started']),
      gates: [ends, goesOn],
      without: isToolResult,
    };
  },
  'h-shell-stop-during-turn': () => {
    const goesOn = held();
    return {
      ...turns([reply.shell('sleep 30'), bash('sleep 2', { until: goesOn }), 'x']),
      gates: [goesOn],
      without: isToolResult,
    };
  },
};
