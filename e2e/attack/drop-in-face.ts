import { setTimeout as delay } from 'node:timers/promises';
import {
  createSdkMcpServer,
  tool,
  type Options,
  type PermissionResult,
  type Query,
  type SDKUserMessage,
} from '@hexagent/sdk/claude-agent-sdk';
import { hookOf } from './native-face.ts';
import type { Program, RunPlace } from './program.ts';

/** Long enough for anything that has to come, on a busy machine. */
const boundMs = 20_000;
/** After so long a silence a run with faults is ended by its program. */
const patienceMs = 500;

/** Plays a plan with `query()`. */
export async function runDropIn(program: Program): Promise<void> {
  const { plan, place, watch, account } = program;
  const running = watch.call('query', () =>
    place.sdk.query({ prompt: promptOf(program), options: optionsOf(program, place) }),
  );
  if (running === undefined) return;
  program.doing = doingOf(program, running);
  const reading = watch.track('loop', program.read('loop', running));
  void watch.track('initializationResult', running.initializationResult());
  program.start();
  await Promise.race([
    reading,
    watch.quiet(plan.isBenign ? { patienceMs: boundMs, boundMs } : { patienceMs, boundMs }),
  ]);
  if (![...account.settled.keys()].some((name) => name.endsWith(' loop'))) {
    account.isCut = true;
    end(program, running);
  }
  // A loop that was left has to let go of everything by itself.
  await watch.end(boundMs);
}

function end({ plan, controller, watch }: Program, running: Query): void {
  switch (plan.program.ending) {
    case 'abort':
      controller.abort(new Error('At the end.'));
      if (!plan.program.signal) watch.call('close at the end', () => running.close());
      return;
    case 'dispose':
      return void watch.track('dispose', Promise.resolve(running[Symbol.asyncDispose]()));
    case 'finish':
      return void watch.track('return', running.return());
    default:
      watch.call('close at the end', () => running.close());
  }
}

function optionsOf(program: Program, { executable, env, cwd }: RunPlace): Options {
  const { hooks, hook, servers, elicits, signal, secretFile } = program.plan.program;
  const add = tool('add', 'adds', {}, async () => ({ content: [{ type: 'text', text: '5' }] }));
  return {
    ...(executable !== undefined && { pathToClaudeCodeExecutable: executable }),
    ...(cwd !== undefined && { cwd }),
    env,
    canUseTool: (_tool, input, { signal: withdrawn }) =>
      program.decide<PermissionResult>(input['command'], withdrawn, {
        allow: () => ({ behavior: 'allow', updatedInput: input }),
        deny: () => ({ behavior: 'deny', message: 'No.' }),
      }),
    ...(hooks && { hooks: { PreToolUse: [{ hooks: [() => hookOf(hook)] }] } }),
    mcpServers: {
      ...(servers && { own: createSdkMcpServer({ name: 'own', tools: [add] }) }),
      ...(secretFile && { dialled: { command: 'nobody', env: { TOKEN: 'made-up' } } }),
    },
    ...(elicits && { onElicitation: async () => ({ action: 'accept' as const }) }),
    ...(signal && { abortController: program.controller }),
  };
}

function doingOf({ controller, plan, watch }: Program, running: Query): Program['doing'] {
  return {
    interrupt: () => running.interrupt(),
    control: () => running.mcpServerStatus(),
    'control with deadline': () => running.setModel('other'),
    send: () => running.streamInput(messages(['late'])),
    close: () => running.close(),
    ...(plan.program.signal && { abort: () => controller.abort(new Error('Enough.')) }),
    finish: () => watch.track('return', running.return()),
  };
}

function promptOf(program: Program): string | AsyncIterable<SDKUserMessage> {
  const { prompt, sends } = program.plan.program;
  const texts = Array.from({ length: sends }, (_, index) => `message ${index}`);
  if (prompt === 'text') return 'message';
  if (prompt === 'stream') return messages(texts);
  if (prompt === 'stream that throws') return messages(texts, () => Promise.reject(new Error('The prompt broke.')));
  const endless = messages(texts, () => new Promise(() => {}));
  return prompt === 'stream that hangs' ? endless : throwingReturn(endless);
}

async function* messages(texts: readonly string[], after?: () => Promise<never>): AsyncGenerator<SDKUserMessage> {
  for (const content of texts) {
    yield { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null };
    await delay(1);
  }
  await after?.();
}

function throwingReturn(stream: AsyncGenerator<SDKUserMessage>): AsyncIterable<SDKUserMessage> {
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => stream.next(),
      return: () => {
        throw new Error('The prompt does not want to end.');
      },
    }),
  };
}
