import { randomUUID } from 'node:crypto';
import { agentFrames } from '@hexagent/testing';
import type { Agent, Behaviour, WireFrame } from './stand-in.ts';

/** How an obliging agent departs from itself; what a function answers with `undefined` is done as usual. */
export interface Obliging {
  /** The payload of the answer to `initialize`. */
  readonly introduction?: WireFrame;
  /** Called for each request; `null` leaves it unanswered, an `Error` refuses it. */
  readonly request?: (request: WireFrame, agent: Agent) => WireFrame | Error | null | undefined;
  /** Called for each user message; `true`: it was dealt with. */
  readonly message?: (message: WireFrame, agent: Agent) => boolean;
  /** Called when its input was closed; `true`: it was dealt with. */
  readonly inputEnded?: (agent: Agent) => boolean;
}

/** Answers every request with success and every message with a result, and leaves when its input is closed. */
export function obliging(change: Obliging = {}): Behaviour {
  return (agent) => {
    agent.listen({
      frame(frame) {
        if (frame['type'] === 'control_request') answer(agent, frame, change);
        if (frame['type'] === 'user' && change.message?.(frame, agent) !== true) finishTurn(agent);
      },
      inputEnded: () => {
        if (change.inputEnded?.(agent) !== true) agent.exit(0);
      },
    });
  };
}

/** An `init`, an assistant message, a result, and the state that ends a turn. */
export function finishTurn(agent: Agent, change: WireFrame = {}): void {
  agent.write(initMessage());
  agent.write(resultMessage(change));
  agent.write(stateMessage('idle'));
}

const sessionId = '11111111-2222-4333-8444-555555555555';

export function initMessage(change: WireFrame = {}): WireFrame {
  return {
    type: 'system',
    subtype: 'init',
    cwd: '/',
    session_id: sessionId,
    tools: [],
    mcp_servers: [],
    model: 'stand-in',
    permissionMode: 'default',
    slash_commands: [],
    apiKeySource: 'none',
    output_style: 'default',
    uuid: randomUUID(),
    ...change,
  };
}

export function resultMessage(change: WireFrame = {}): WireFrame {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const own = { result: 'done', usage, session_id: sessionId, uuid: randomUUID() };
  return { ...agentFrames.result({ ...own, ...change }) };
}

export function stateMessage(state: 'idle' | 'running'): WireFrame {
  return {
    type: 'system',
    subtype: 'session_state_changed',
    state,
    session_id: sessionId,
    uuid: randomUUID(),
    sdk_host_only: true,
  };
}

export function controlResponse(request: WireFrame, answered: WireFrame | Error): WireFrame {
  const { request_id } = request;
  const response =
    answered instanceof Error
      ? { subtype: 'error', request_id, error: answered.message }
      : { subtype: 'success', request_id, response: answered };
  return { type: 'control_response', response };
}

/** What is asked of the program, as the agent asks it. */
export function controlRequest(request_id: string, request: WireFrame): WireFrame {
  return { type: 'control_request', request_id, request };
}

const introduced: WireFrame = {
  commands: [],
  agents: [],
  models: [],
  account: {},
  output_style: 'default',
  available_output_styles: ['default'],
  settings_applied: true,
  managed_settings_applied: true,
  disallowed_tools_applied: true,
  pid: 1,
};

function answer(agent: Agent, frame: WireFrame, { introduction, request }: Obliging): void {
  const usual = subtypeOf(frame) === 'initialize' ? { ...introduced, ...introduction } : {};
  const answered = request?.(frame, agent);
  if (answered !== null) agent.write(controlResponse(frame, answered ?? usual));
}

/** The subtype of a request, `undefined` for any other frame. */
export function subtypeOf(frame: WireFrame): unknown {
  const request = frame['request'];
  return typeof request === 'object' && request !== null && 'subtype' in request ? request.subtype : undefined;
}
