import { reply as step } from '../doubles/scripted/reply.ts';
import type { AgentScript, Step } from '../doubles/scripted/script.ts';
import type { AgentSide } from '../doubles/wire.ts';
import { gate, type Gate } from '../loopback/stream-effects.ts';
import type { BackgroundPart, Happening, Part, RefusalPart, ScenarioTurn } from './scenario.ts';
import { isList } from './to-model-script.ts';

/** The script of an agent that has these turns, and what it opens when a turn has ended. */
export interface ScriptOfTurns {
  readonly script: AgentScript;
  /** The agent whose background tasks end after the turn in which they began. */
  around(agent: AgentSide): AgentSide;
}

/** Calls that follow each other would else be of one answer. */
const nextAnswer = step.frames();

export function toAgentScript(turns: readonly ScenarioTurn[]): ScriptOfTurns {
  const ends: Gate[] = [];
  const script: AgentScript = {
    turns: turns.map(({ happens }) => happens.flatMap((one) => [...stepsOf(one, ends), nextAnswer])),
  };
  return {
    script,
    around: (agent) => ({
      get launch() {
        return agent.launch;
      },
      write(...frames) {
        agent.write(...frames);
        if (frames.some((frame) => 'type' in frame && frame.type === 'result'))
          for (const end of ends.splice(0)) end.open();
      },
      writeLines: (lines) => agent.writeLines(lines),
      exit: (fields) => agent.exit(fields),
      onLine: (listener) => agent.onLine(listener),
      onInputEnd: (listener) => agent.onInputEnd(listener),
    }),
  };
}

function stepsOf(happening: Happening, ends: Gate[]): readonly (string | Step)[] {
  if (typeof happening === 'string') return [happening];
  if (isList(happening)) return happening.map((part) => stepOf(part, ends));
  switch (happening.part) {
    case 'answer':
      return happening.parts.map((part) => stepOf(part, ends));
    case 'wait':
      return [step.hold(gate())];
    case 'refusal':
      return refused(happening);
    case 'frames':
      return [step.frames(...happening.frames)];
    case 'result':
      return [step.result(happening.frames[0] ?? {})];
    default:
      return [stepOf(happening, ends)];
  }
}

function stepOf(part: Part, ends: Gate[]): Step {
  switch (part.part) {
    case 'text':
    case 'thinking':
      return step[part.part](part.pieces.map((piece) => (typeof piece === 'string' ? piece : gate())));
    case 'call': {
      const { tool, input, asks, result, isError, readOnly } = part;
      return step.tool(tool, input, { asks, result, isError, readOnly });
    }
    default:
      return backgroundOf(part, ends);
  }
}

function backgroundOf({ kind, what, report }: BackgroundPart, ends: Gate[]): Step {
  const start = kind === 'local_bash' ? step.shell : step.subagent;
  if (report === undefined) return start(what);
  const until = gate();
  ends.push(until);
  return start(what, { until, report });
}

function refused({ status, message, times = 1, ends, reported }: RefusalPart): readonly Step[] {
  const retried = reported ?? (ends === undefined ? times : times - 1);
  const retries = Array.from({ length: retried }, (_, index) => ({
    type: 'system',
    subtype: 'api_retry',
    attempt: index + 1,
    error_status: status,
    error: message,
  }));
  return [step.frames(...retries), ...(ends === undefined ? [] : [step.apiError(status, ends)])];
}
