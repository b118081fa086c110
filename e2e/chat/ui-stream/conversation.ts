import { join } from 'node:path';
import type { Ask, AskAnswer, PermissionAsk, StoredMessage } from '@hexagent/ports';
import {
  openSession,
  storedSessions,
  type Decision,
  type Session,
  type SessionOptions,
  type Turn,
  type Input,
} from '@hexagent/sdk';
import type { ModelRequest, TurnLike } from '@hexagent/testing/loopback';
import { toUiMessages, type SubagentView, type UiMessage } from '@hexagent/ui-stream';
import { stage, type Stage } from '../../support/stage.ts';
import type { Comparable } from './compare.ts';
import { LiveTurns, type LiveTurn } from './live-turns.ts';

/** A conversation with the real CLI, whose model is a script. */
export interface Conversation {
  readonly script: readonly TurnLike[] | ((request: ModelRequest, cwd: string) => TurnLike);
  /** What is sent, each when the turn before has ended. Default: `go`. */
  readonly prompts?: readonly string[];
  /** A program of its own, in the place of the prompts. */
  readonly drive?: (run: Run) => Promise<void>;
  readonly options?: SessionOptions;
  readonly env?: Readonly<Record<string, string>>;
  readonly subagents?: SubagentView;
  /** Where live and stored answers are not the same. */
  readonly asStored?: AsStored;
  /** Decides about calls. Default: all are allowed. */
  readonly decide?: (ask: PermissionAsk, run: Run) => Decision | Promise<Decision>;
}

/** What of the live answers is stored otherwise. */
export interface AsStored {
  readonly because: string;
  /** The answers as they are compared, live and stored alike; `undefined` where they cannot be compared. */
  readonly answers: (answers: readonly Comparable[]) => readonly Comparable[] | undefined;
}

export interface Run {
  readonly session: Session;
  readonly place: Stage;
  /** Sends a message and follows its turn. */
  send(content: Parameters<Session['send']>[0]): LiveTurn;
  /** Sends a message that joins the turn that runs. */
  steer(text: string): Turn;
  /** Follows an unsolicited turn. */
  follow(turn: Turn): LiveTurn;
}

export interface Had {
  readonly turns: readonly LiveTurn[];
  /** The messages, as they were read from the folder afterwards. */
  readonly history: readonly UiMessage[];
  /** What was sent, as the parts that a page shows of it. */
  readonly sent: readonly object[];
}

/** Has the conversation, and reads afterwards what was stored of it. */
export async function have({ script, prompts = ['go'], subagents = 'flat', ...rest }: Conversation): Promise<Had> {
  let cwd = '';
  await using place = await stage(typeof script === 'function' ? (request) => script(request, cwd) : script, rest.env);
  cwd = place.home.cwd;
  const live = new LiveTurns(subagents);
  const started = Promise.withResolvers<Run>();
  const decide = rest.decide ?? (() => ({ behavior: 'allow' }) as const);
  const onAsk = async (ask: Ask): Promise<AskAnswer> =>
    ask.tool === undefined
      ? { behavior: 'deny', message: 'no' }
      : await live.asked(ask, async () => await decide(ask, await started.promise));
  const session = await openSession({
    ...place.options,
    partialMessages: true,
    ...rest.options,
    onAsk,
  });
  const sent: object[] = [];
  const run: Run = {
    session,
    place,
    send(content) {
      sent.push(...sentParts(content));
      return live.follow(session.send(content));
    },
    steer: (text) => live.steered(session.send(text), text),
    follow: (turn) => live.follow(turn),
  };
  started.resolve(run);
  try {
    if (rest.drive) await rest.drive(run);
    else for (const prompt of prompts) await run.send(prompt).ended;
    await Promise.all(live.turns.map(({ ended }) => ended));
  } finally {
    await session.finish();
  }
  return { turns: live.turns, sent, history: await historyOf(place, session.sessionId ?? '', subagents) };
}

function sentParts(input: Input): readonly object[] {
  const content = typeof input === 'object' && 'content' in input ? input.content : input;
  return (typeof content === 'string' ? [content] : content).map((part) => {
    if (typeof part === 'string') return { type: 'text', text: part };
    return part.type === 'text' ? { type: 'text', text: part.text } : { type: 'file' };
  });
}

async function historyOf(place: Stage, id: string, subagents: SubagentView): Promise<readonly UiMessage[]> {
  const sessions = storedSessions({ configDir: join(place.home.home, '.claude') });
  const stored = await Array.fromAsync(sessions.messages(id, { includeToolUseResults: true }));
  const subagentMessages: StoredMessage[] = [];
  for (const agent of await sessions.subagents(id))
    subagentMessages.push(...(await Array.fromAsync(sessions.subagentMessages(id, agent))));
  return toUiMessages(stored, { subagents, subagentMessages });
}
