import type { PermissionAnswer, PermissionContext, PermissionGate, PermissionRequest } from '@hexagent/ports';

type Answer = PermissionAnswer | null;

/** Answers every request with the same answer or that of a function, and records the requests. */
export class ScriptedGate implements PermissionGate {
  readonly asked: PermissionRequest[] = [];
  readonly #answer: (request: PermissionRequest, context: PermissionContext) => Answer | Promise<Answer>;

  constructor(answer: Answer | ((request: PermissionRequest, context: PermissionContext) => Answer | Promise<Answer>)) {
    this.#answer = typeof answer === 'function' ? answer : () => answer;
  }

  async decide(request: PermissionRequest, context: PermissionContext): Promise<Answer> {
    this.asked.push(request);
    return await this.#answer(request, context);
  }
}

/** Allows everything unchanged. */
export function allowAll(): ScriptedGate {
  return new ScriptedGate({ behavior: 'allow' });
}

/** Denies everything. */
export function denyAll(message = 'Denied by the test.'): ScriptedGate {
  return new ScriptedGate({ behavior: 'deny', message });
}
