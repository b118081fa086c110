import type { Agent, Ask } from './run.ts';

/** What an agent, or its program, waits for. */
export interface Wait {
  /** In words, such as `Bash: the program has not answered`. */
  readonly text: string;
  readonly since: number;
  /** The row that began it. */
  readonly row: number;
  /** Whether a person or the program has to act. */
  readonly needsAnswer: boolean;
}

const words: Readonly<Record<Ask['kind'], string>> = {
  permission: 'waits for the program to allow or deny it',
  question: 'waits for the program to answer its questions',
  plan: 'waits for the program to approve its plan',
  elicitation: 'waits for the program to answer its server',
  dialog: 'waits for the program to answer a dialog',
  hook: 'waits for a hook of the program',
  tool: 'runs in the program',
};

/** What is waited for now, what can be answered first. Empty for an agent that has exited, or that waits for a message. */
export function waitsOf(agent: Agent): readonly Wait[] {
  if (agent.exit !== undefined) return [];
  const asks = [...agent.asks.values()].filter(
    ({ answer, call }) => answer === undefined && agent.calls.get(call ?? '')?.result === undefined,
  );
  const answerable = asks.filter(({ kind }) => kind !== 'tool' && kind !== 'hook');
  const inProgram = asks.filter((ask) => !answerable.includes(ask));
  const waits = [...answerable, ...inProgram].map((ask) => ({
    text: `${ask.subject} ${words[ask.kind]}`,
    since: ask.t,
    row: ask.row,
    needsAnswer: answerable.includes(ask),
  }));
  return [...waits, ...waitsOfProgram(agent), ...(waits.length > 0 ? [] : waitsOfTurn(agent))];
}

function waitsOfProgram(agent: Agent): readonly Wait[] {
  const open = [...agent.requests.values()].filter(({ answer }) => answer === undefined);
  const requests = open.map(({ subtype, t, row }) => ({
    text: `The agent has not answered ${subtype}`,
    since: t,
    row,
    needsAnswer: false,
  }));
  if (agent.pausedSince === undefined) return requests;
  const paused = {
    text: 'The program does not read',
    since: agent.pausedSince,
    row: agent.firstRow,
    needsAnswer: true,
  };
  return [paused, ...requests];
}

/** A tool that runs, or else the model. */
function waitsOfTurn(agent: Agent): readonly Wait[] {
  const turn = agent.turns.at(-1);
  const tools = [...agent.calls.values()].filter(
    (call) => call.result === undefined && (call.turn === turn?.number || call.subagent?.to === undefined),
  );
  const running = tools.filter((call) => turn?.to === undefined || call.subagent !== undefined);
  if (running.length > 0)
    return running.map(({ name, t, row }) => ({ text: `${name} runs`, since: t, row, needsAnswer: false }));
  if (turn === undefined || turn.to !== undefined) return [];
  return [{ text: 'The model answers', since: turn.from, row: turn.firstRow, needsAnswer: false }];
}
