import type { AskHandler, Clock, HookInput, HookOutput, PermissionAnswer, PermissionContext } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { allow, Asks, deny, EnforcedPolicy, type PermissionService, type PolicyMode } from '../src/index.ts';
import { randomChoices, type RandomChoices } from './random-choices.ts';
import { request } from './requests.ts';
import { commands, policyOf, serviceOf } from './policy-of.ts';

/*
 * An agent that calls tools, a program that changes rules and modes meanwhile, hooks that change inputs, and an approver who does
 * anything. What runs is judged by a second, simpler judge.
 */

interface Call {
  readonly tool: string;
  readonly command: string;
}

const tools = ['Bash', 'Read', 'mcp__a__b', 'AskUserQuestion'];
const commandTexts = ['one x', 'two x', 'one x && two y', 'sh -c "one x"', '(two x)'];
const rules = ['Bash', 'Bash(one *)', 'Bash(two *)', 'Read', 'mcp__a', 'mcp__a__b', 'AskUserQuestion'];
const modes: readonly PolicyMode[] = ['ask', 'allow', 'deny'];

const isCoveredBy = (rule: string, { tool, command }: Call): boolean =>
  rule === tool ||
  (rule === 'mcp__a' && tool === 'mcp__a__b') ||
  (tool === 'Bash' && rule.startsWith('Bash(') && command.includes(rule.slice(5, 8)));

const clock: Clock = { now: () => 0, after: () => () => {} };
const context = (signal: AbortSignal): PermissionContext => ({ requestId: 'r', signal });

/** What the program has set, recorded beside the policy. */
class Wishes {
  readonly lists = { allow: new Set<string>(), deny: new Set<string>(), ask: new Set<string>() };
  mode: PolicyMode = 'ask';

  forbids(call: Call): boolean {
    return this.mode === 'deny' || [...this.lists.deny].some((rule) => isCoveredBy(rule, call));
  }

  asksAbout(call: Call): boolean {
    return [...this.lists.ask].some((rule) => isCoveredBy(rule, call));
  }
}

class World {
  readonly wishes = new Wishes();
  readonly enforced: EnforcedPolicy;
  readonly gate: PermissionService;
  readonly asks: Asks;
  /** How often a person was asked about the call that is decided. */
  asked = 0;
  answers = 0;
  /** Whether what ran was forbidden when that was decided: at once, or when a person had answered. */
  wasForbidden = false;
  readonly violations: string[] = [];
  readonly #random: RandomChoices;

  constructor(random: RandomChoices) {
    this.#random = random;
    const policy = policyOf();
    this.enforced = new EnforcedPolicy(policy);
    this.asks = new Asks({ environment: { commands }, onAsk: this.#onAsk, clock });
    this.gate = serviceOf({ policy, approver: this.asks.ask });
  }

  async change(): Promise<void> {
    const list = this.#random.one(['allow', 'deny', 'ask'] as const);
    const rule = this.#random.one(rules);
    const wished = this.wishes.lists[list];
    if (this.#random.below(4) === 0) {
      this.wishes.mode = this.#random.one(modes);
      await this.enforced.setMode(this.wishes.mode);
    } else if (wished.has(rule)) {
      wished.delete(rule);
      await this.enforced.remove({ [list]: [rule] });
    } else {
      wished.add(rule);
      await this.enforced.add({ [list]: [rule] });
    }
  }

  /** What runs, if anything: the agent calls the hooks, then asks unless it finds the call harmless. */
  async call({ tool, command }: Call): Promise<Call | undefined> {
    const [own] = this.enforced.hooks({}).PreToolUse ?? [];
    const input = { hook_event_name: 'PreToolUse', tool_name: tool, tool_input: { command }, cwd: '/w' } as HookInput;
    const first = (await own?.hooks[0]?.(input as never, 't', undefined as never)) as HookOutput | undefined;
    const changed = this.#random.below(3) === 0 ? this.#random.one(commandTexts) : undefined;
    const answer: HookOutput = changed === undefined ? {} : changing(changed);
    const dispatcher = { registration: () => undefined, dispatch: () => Promise.resolve(answer) };
    const second = await this.enforced.dispatcher(dispatcher).dispatch({ callback_id: 'h', input }, undefined as never);
    const decisions = [decisionIn(first), decisionIn(second)];
    if (decisions.includes('deny')) return undefined;
    const now = { tool, command: changedIn(second) ?? command };
    // The agent asks a person its questions in any case.
    const needsPerson = tool === 'AskUserQuestion' || decisions.includes('ask');
    const isHarmless = this.#random.below(2) === 0;
    this.wasForbidden = this.wishes.forbids(now);
    if (!needsPerson && (isHarmless || decisions.includes('allow'))) return now;
    return await this.#ask(now, decisions.includes('ask'));
  }

  async #ask(call: Call, isByHook: boolean): Promise<Call | undefined> {
    this.wasForbidden = this.wishes.forbids(call);
    const withdrawal = new AbortController();
    const asked = request(call.tool, {
      input: { command: call.command },
      ...(isByHook ? { decision_reason_type: 'hook' } : {}),
    });
    const settled: (PermissionAnswer | null | undefined)[] = [];
    const deciding = this.gate.decide(asked, context(withdrawal.signal)).then(
      (answer) => settled.push(answer),
      () => settled.push(undefined),
    );
    await this.#interfere(withdrawal);
    await deciding;
    // Exactly one answer, whatever was answered late or twice.
    if (settled.length !== 1) this.violations.push(`${settled.length} answers`);
    this.answers += 1;
    const [answer] = settled;
    if (answer?.behavior !== 'allow' || withdrawal.signal.aborted) return undefined;
    const run = { tool: call.tool, command: (answer.updatedInput?.['command'] as string | undefined) ?? call.command };
    if (this.asked > 0) this.wasForbidden = this.wishes.forbids(run);
    return run;
  }

  /** While a person is asked: rules change, others answer, once, late or twice, and the agent gives up. */
  async #interfere(withdrawal: AbortController): Promise<void> {
    if (this.#random.below(2) === 0) await this.change();
    await new Promise(setImmediate);
    const [pending] = this.asks.list();
    if (pending === undefined) return;
    if (this.#random.below(4) === 0) withdrawal.abort();
    const answered = pending.kind === 'question' ? { questions: [], answers: {} } : {};
    const yes = pending.kind === 'question' ? allow({ input: { ...pending.input, ...answered } }) : allow();
    const given = this.#random.one([
      yes,
      deny('No.'),
      allow({ input: { command: this.#random.one(commandTexts), ...answered } }),
    ]);
    const receipts = [this.asks.answer(pending.id, given), this.asks.answer(pending.id, yes)];
    if (receipts[1] === 'accepted') this.violations.push('answered twice');
    if (receipts[0] === 'withdrawn' && !withdrawal.signal.aborted) this.violations.push('withdrawn by nobody');
  }

  readonly #onAsk: AskHandler = () => {
    this.asked += 1;
    return this.#random.one<() => ReturnType<AskHandler>>([
      () => allow(),
      () => allow({ input: { command: this.#random.one(commandTexts) } }),
      () => deny('No.'),
      () => null,
      () => new Promise(() => {}),
      () => Promise.reject(new Error('broken')),
      () => 'yes' as never, // as a program without types may
      () => {
        throw new Error('broken');
      },
    ])();
  };
}

const changing = (command: string): HookOutput => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput: { command } },
});

const specificIn = (output: HookOutput | undefined): Readonly<Record<string, unknown>> =>
  (output as { hookSpecificOutput?: Readonly<Record<string, unknown>> } | undefined)?.hookSpecificOutput ?? {};
const decisionIn = (output: HookOutput | undefined): unknown => specificIn(output)['permissionDecision'];
const changedIn = (output: HookOutput): string | undefined =>
  (specificIn(output)['updatedInput'] as { command?: string } | undefined)?.command;

describe('In any sequence of rules, modes, calls and answers', () => {
  it('no call runs that the policy forbids, none unasked that it asks about, and each request gets one answer', async () => {
    let [ran, answers, refused] = [0, 0, 0];
    for (let seed = 0; seed < 400; seed += 1) {
      const random = randomChoices(seed);
      const world = new World(random);
      for (let step = 0; step < 12; step += 1) {
        if (random.below(2) === 0) await world.change();
        const call = { tool: random.one(tools), command: random.one(commandTexts) };
        world.asked = 0;
        const wasAskedAbout = world.wishes.asksAbout(call);
        const run = await world.call(call);
        if (run === undefined) {
          refused += 1;
          continue;
        }
        ran += 1;
        const mustBeAsked = wasAskedAbout || run.tool === 'AskUserQuestion';
        if (world.wasForbidden) world.violations.push(`ran: ${JSON.stringify(run)}`);
        if (mustBeAsked && world.asked !== 1)
          world.violations.push(`asked ${world.asked} times: ${JSON.stringify(run)}`);
      }
      answers += world.answers;
      expect([seed, world.violations]).toEqual([seed, []]);
    }
    expect(ran).toBeGreaterThan(500);
    expect(refused).toBeGreaterThan(500);
    expect(answers).toBeGreaterThan(500);
  });
});
