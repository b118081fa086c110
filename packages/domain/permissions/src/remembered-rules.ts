import { ruleText, type Clock, type FeatureControl, type PermissionRequest, type RememberScope } from '@hexagent/ports';
import type { SessionEnvironment } from './asked-again.ts';
import { rememberedRules, whyNotRemembered } from './remembering.ts';

const files: Readonly<Record<Exclude<RememberScope, 'session'>, string>> = {
  local: 'the local settings of the folder',
  project: 'the settings of the project',
  user: 'the settings of the user',
};

const remedies: Readonly<Record<keyof typeof files, string>> = {
  local: 'The session reads them only if its `settings` include `local`.',
  project:
    'The session reads them only if its `settings` include `project`, and the CLI follows allow rules of a project only in a folder that a person has trusted: run it there once, or set `hasTrustDialogAccepted` of the folder in ~/.claude.json.',
  user: 'The session reads them only if its `settings` include `user`.',
};

/** How long after an answer, and then after each request, the agent is asked which rules it follows. */
const delaysMs: readonly number[] = [100, 1000, 4000];

/** Reports decisions that were to be remembered, and are not. */
export class RememberedRules {
  readonly #clock: Clock;
  readonly #environment: SessionEnvironment;
  #control: FeatureControl | undefined;

  constructor(clock: Clock, environment: SessionEnvironment) {
    this.#clock = clock;
    this.#environment = environment;
  }

  attach(control: FeatureControl): void {
    this.#control = control;
  }

  /** Called with the scope of a decision that is about to be sent. */
  check(scope: RememberScope, request: PermissionRequest): void {
    const stored = rememberedRules(request.permission_suggestions, scope).flatMap(({ rules }) => rules.map(ruleText));
    if (stored.length === 0) {
      this.#warn(
        request,
        'the agent suggests no rule for it, so it will ask again. rulesToRemember() lists what would be stored.',
      );
      return;
    }
    const why = whyNotRemembered(request, this.#environment);
    if (why !== undefined) this.#warn(request, why);
    // What the session itself stores, the agent always follows.
    else if (scope !== 'session') this.#askLater(scope, stored, request);
  }

  /**
   * The agent follows any rule that it is given, until it reads the files again a moment later: then it drops one that is
   * in a file it does not follow. Measured: 12 to 28 ms. So it is asked several times.
   */
  #askLater(scope: keyof typeof files, stored: readonly string[], request: PermissionRequest, attempt = 0): void {
    const delay = delaysMs[attempt];
    if (delay === undefined) return;
    this.#clock.after(delay, () => {
      // An agent that has exited follows no rules, and its exit is reported elsewhere.
      void this.#missing(stored).then(
        (missing) => {
          if (missing.length === 0) this.#askLater(scope, stored, request, attempt + 1);
          else
            this.#warn(
              request,
              `${missing.join(', ')} is in ${files[scope]} now, and has no effect. ${remedies[scope]}`,
            );
        },
        () => {},
      );
    });
  }

  async #missing(stored: readonly string[]): Promise<readonly string[]> {
    const answer = await this.#control?.request('list_permission_rules', {});
    const held = new Set(answer?.state.rules.flatMap(({ behavior, rule }) => (behavior === 'allow' ? [rule] : [])));
    return stored.filter((rule) => !held.has(rule));
  }

  #warn({ tool_name }: PermissionRequest, why: string): void {
    this.#control?.warn({
      code: 'HEXAGENT_NOT_REMEMBERED',
      source: `allow({ remember }) for ${tool_name}`,
      message: `What was allowed for ${tool_name} is not remembered: ${why}`,
    });
  }
}
