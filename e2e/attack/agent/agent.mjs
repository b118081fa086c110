// node agent.mjs: plays the CLI by the plan in the file ATTACK_PLAN, and notes what it does in the file ATTACK_LOG.
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { message } from './frames.mjs';
import { note, plan, write, writeLine } from './log.mjs';
import { endTools, hooks, queued, runTurn, running, send, waiting, withdrawn } from './turns.mjs';

note({ on: 'start', pid: process.pid });
if (plan.diesAtStart) process.exit(plan.exitCode);
if (plan.onTerm === 'stay') process.on('SIGTERM', () => {});
// Nothing else keeps it while it waits for its end.
const alive = setInterval(() => {}, 1000);

const queue = [];
let turns = 0;
let working = Promise.resolve();

const answer = (request_id, response) =>
  writeLine({ type: 'control_response', response: { subtype: 'success', request_id, response } });
const refuse = (request_id) =>
  writeLine({ type: 'control_response', response: { subtype: 'error', request_id, error: 'refused' } });

async function answerAs(how, id, response) {
  if (how === 'never') return;
  if (how === 'late') await delay(100);
  if (how === 'refuse') return refuse(id);
  if (how === 'wrong id') return answer('nobody', response);
  await answer(id, how === 'odd' ? 'a text' : response);
  if (how === 'twice') await answer(id, response);
}

function control({ request_id, request }) {
  note({ on: 'asked', subtype: request.subtype });
  switch (request.subtype) {
    case 'initialize':
      hooks.ids = Object.values(request.hooks ?? {}).flatMap((list) => list.flatMap((one) => one.hookCallbackIds));
      return answerAs(plan.initialize, request_id, {
        commands: [],
        agents: [],
        models: [],
        account: {},
        hook_on_failure_supported: true,
      });
    case 'interrupt':
      if (plan.obeysInterrupts) running.interrupt();
      if (plan.obeysInterrupts && request.cancel_queued) queue.length = 0;
      return answerAs(plan.controls === 'never' ? 'never' : 'answer', request_id, {});
    case 'cancel_async_message': {
      const index = queue.indexOf(request.message_uuid);
      if (index !== -1) {
        queue.splice(index, 1);
        void withdrawn(request.message_uuid);
      }
      return answerAs('answer', request_id, { cancelled: index !== -1 });
    }
    default:
      return answerAs(plan.controls, request_id, {});
  }
}

function user({ uuid }) {
  note({ on: 'said', uuid });
  queue.push(uuid);
  void queued(uuid);
  working = working.then(async () => {
    if (!queue.includes(uuid)) return;
    queue.splice(queue.indexOf(uuid), 1);
    const turn = plan.turns[turns] ?? { steps: [], result: 'success' };
    turns += 1;
    await runTurn(turn, uuid);
  });
}

function answered({ response }) {
  note({ on: 'answered', id: String(response.request_id), response });
  waiting.get(String(response.request_id))?.();
}

function read(line) {
  let frame;
  try {
    frame = JSON.parse(line);
  } catch {
    note({ on: 'bad input', line: line.slice(0, 200) });
    return;
  }
  if (frame.type === 'control_request') void control(frame);
  else if (frame.type === 'control_response') answered(frame);
  else if (frame.type === 'user') user(frame);
  else note({ on: 'read', type: frame.type, id: frame.request_id });
}

async function end() {
  note({ on: 'end of input' });
  if (plan.atEnd === 'stay') return;
  if (plan.atEnd === 'crash') process.kill(process.pid, 'SIGSEGV');
  await working;
  if (plan.atEnd === 'slowly') await delay(150);
  if (plan.atEnd === 'talking') for (let count = 0; count < 3; count += 1) void send(message('system', 10));
  await write(Buffer.alloc(0));
  if (plan.isTidy) endTools();
  note({ on: 'leaving', code: plan.exitCode });
  clearInterval(alive);
  process.exit(plan.exitCode);
}

const input = createInterface({ input: process.stdin });
input.on('line', read);
input.on('close', () => void end());
process.stdin.on('error', () => {});
