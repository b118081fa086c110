import { allow, createSdkMcpServer, deny, tool, type Session, type SessionOptions, type Turn } from '@hexagent/sdk';
import type { Program, RunPlace } from './program.ts';

/** Long enough for anything that has to come, on a busy machine. */
const boundMs = 20_000;
/** After so long a silence a run with faults is ended by its program. */
const patienceMs = 500;

/** Plays a plan with `openSession()`. */
export async function runNative(program: Program): Promise<void> {
  const { plan, place, watch } = program;
  const opening = place.sdk.openSession(optionsOf(program, place));
  await watch.track('openSession', opening);
  const session = await opening.catch(() => undefined);
  if (session === undefined) return;
  program.doing = doingOf(program, session);
  void watch.track('ready', session.ready);
  void watch.track('exited', session.exited);
  void watch.track('messages', program.read('messages', session.messages));
  void watch.track('turns', readUnsent(program, session));
  program.start();
  await sendAll(program, session);
  const patience = plan.isBenign ? { patienceMs: boundMs, boundMs } : { patienceMs, boundMs };
  if (plan.program.ending === 'finish') {
    if (!plan.isBenign) program.account.isCut ||= !isOver(program);
    void watch.track('finish', Promise.resolve(watch.call('finish', () => session.finish())));
  }
  await watch.quiet(patience);
  await endSession(program, session);
  await watch.end(boundMs);
}

function optionsOf(program: Program, { executable, env, cwd }: RunPlace): SessionOptions {
  const { decisions: _, hooks, hook, servers, elicits, signal, secretFile, ...more } = program.plan.program;
  const { softMarkBytes, hardMarkBytes, maxLineBytes, initializeTimeoutMs } = more;
  const add = tool('add', 'adds', {}, async () => ({ content: [{ type: 'text', text: '5' }] }));
  return {
    ...(executable !== undefined && { executable }),
    cwd,
    env: { policy: 'exact', set: env },
    partialMessages: true, // each message is accounted for
    onAsk: (ask) => {
      if (ask.kind === 'elicitation') return { action: elicits ? 'accept' : 'decline' };
      const command = ask.tool === 'Bash' ? ask.input.command : undefined;
      return program.decide(command, ask.signal, { allow: () => allow(), deny: () => deny('No.') });
    },
    ...(hooks && { hooks: { PreToolUse: [{ hooks: [() => hookOf(hook)] }] } }),
    tools: [
      {
        ...(servers && { own: createSdkMcpServer({ name: 'own', tools: [add] }) }),
        ...(secretFile && { dialled: { command: 'nobody', env: { TOKEN: 'made-up' } } }),
      },
    ],
    ...(signal && { signal: program.controller.signal }),
    softMarkBytes,
    hardMarkBytes,
    maxLineBytes,
    initializeTimeoutMs,
  };
}

/** What a hook of a run answers. */
export function hookOf(kind: 'nothing' | 'throw' | 'never' | 'deny'): Promise<object> {
  if (kind === 'never') return new Promise(() => {});
  if (kind === 'throw') return Promise.reject(new Error('The hook failed.'));
  return Promise.resolve(kind === 'deny' ? { decision: 'block', reason: 'No.' } : {});
}

function doingOf(program: Program, session: Session): Program['doing'] {
  const { controller, plan } = program;
  return {
    interrupt: () => session.interrupt(),
    control: () => session.request('mcp_status'),
    'control with deadline': () => session.request('mcp_status', {}, { timeoutMs: 30 }),
    'control aborted': () => session.request('mcp_status', {}, { signal: AbortSignal.timeout(10) }),
    idle: () => session.idle(),
    send: () => follow(program, session.send('late'), 'late turn'),
    close: () => session.close(),
    ...(plan.program.signal && { abort: () => controller.abort(new Error('Enough.')) }),
    finish: () => session.finish(),
  };
}

async function readUnsent(program: Program, session: Session): Promise<void> {
  for await (const turn of session.turns) void follow(program, turn, 'unsent');
}

function follow(program: Program, turn: Turn, name: string): Promise<void> {
  const { watch } = program;
  void watch.track(`read ${name}`, program.read(name, turn));
  return watch.track(`result of ${name}`, turn.result);
}

async function sendAll(program: Program, session: Session): Promise<void> {
  const { plan, watch } = program;
  for (let count = 0; count < plan.program.sends; count += 1) {
    const turn = watch.call('send', () => session.send(`message ${count}`));
    if (turn === undefined) return;
    const answered = follow(program, turn, `turn ${count}`);
    if (plan.program.actions.some((action) => action.do === 'interrupt turn') && count === 0)
      program.doing = { ...program.doing, 'interrupt turn': () => turn.interrupt() };
    if (plan.program.atOnce) continue;
    await Promise.race([answered, plan.isBenign ? answered : watch.quiet({ patienceMs, boundMs })]);
  }
}

const isOver = ({ account }: Program): boolean => [...account.settled.keys()].some((name) => name.endsWith(' exited'));

async function endSession(program: Program, session: Session): Promise<void> {
  const { account, plan, watch, controller } = program;
  // Everything has been read when the agent has exited by itself.
  if (!isOver(program)) account.isCut = true;
  if (plan.program.ending === 'abort') controller.abort(new Error('At the end.'));
  const close = (): Promise<void> =>
    plan.program.ending === 'dispose' ? Promise.resolve(session[Symbol.asyncDispose]()) : session.close();
  await Promise.race([watch.track('close at the end', close()), watch.quiet({ patienceMs: boundMs, boundMs })]);
}
