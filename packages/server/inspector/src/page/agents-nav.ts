import { formatAmounts, formatTime } from '../fold/formats.ts';
import { oneLine } from '../fold/labels.ts';
import type { RunFold } from '../fold/run-fold.ts';
import { sumOf, type Agent, type Turn } from '../fold/run.ts';
import { waitsOf } from '../fold/waiting.ts';
import { element, setAttribute, setText } from './element.ts';

export interface Scope {
  readonly agent: number | undefined;
  readonly turn: number | undefined;
}

/** Of the turns of one agent, the last ones are listed. */
const mostTurns = 200;

/** The agents and their turns: the one that is chosen limits what is listed. */
export class AgentsNav {
  readonly box: HTMLElement = element('ul', { class: 'agents' });
  readonly #run: RunFold;
  readonly #onChoose: (scope: Scope) => void;
  readonly #items = new Map<string, HTMLElement>();
  #scope: Scope = { agent: undefined, turn: undefined };

  constructor(run: RunFold, onChoose: (scope: Scope) => void) {
    this.#run = run;
    this.#onChoose = onChoose;
  }

  update(): void {
    const { agents } = this.#run;
    const all = { agent: undefined, turn: undefined };
    this.#draw(all, ['All agents', `${agents.length} started`, '']);
    for (const agent of agents) {
      this.#draw({ agent: agent.number, turn: undefined }, describeAgent(agent));
      for (const turn of agent.turns.slice(-mostTurns))
        this.#draw({ agent: agent.number, turn: turn.number }, describeTurn(turn));
    }
  }

  #draw(scope: Scope, [title, about, state]: readonly [string, string, string]): void {
    const key = `${scope.agent ?? ''}.${scope.turn ?? ''}`;
    const item = this.#items.get(key) ?? this.#make(key, scope);
    const [name, line] = item.querySelectorAll('span');
    if (name !== undefined) setText(name, title);
    if (line !== undefined) setText(line, about);
    if (line !== undefined) setAttribute(line, 'class', `about ${state}`);
    const isCurrent = scope.agent === this.#scope.agent && scope.turn === this.#scope.turn;
    setAttribute(item.querySelector('button') ?? item, 'aria-pressed', String(isCurrent));
  }

  #make(key: string, scope: Scope): HTMLElement {
    const choose = element(
      'button',
      { type: 'button', class: 'open', onclick: () => this.#choose(scope) },
      element('span', { class: 'name' }),
      element('span', { class: 'about' }),
    );
    const item = element('li', { class: scope.turn === undefined ? 'agent' : 'turn' }, choose);
    this.#items.set(key, item);
    // The turns of an agent stand below it, also when another agent was started meanwhile.
    const above = [...this.#items.entries()].filter(
      ([each]) => each !== key && each.startsWith(`${scope.agent ?? ''}.`),
    );
    const last = scope.agent === undefined ? undefined : above.at(-1)?.[1];
    if (last === undefined) this.box.append(item);
    else last.after(item);
    return item;
  }

  #choose(scope: Scope): void {
    this.#scope = scope;
    this.update();
    this.#onChoose(scope);
  }
}

function describeAgent(agent: Agent): readonly [string, string, string] {
  const { number, exit, hasFailed, model, turns } = agent;
  const spent = turns.flatMap(({ amounts }) => amounts ?? []);
  const about = spent.length === 0 ? '' : formatAmounts(sumOf(spent));
  const title = `Agent ${number}${model === undefined ? '' : `, ${model}`}`;
  if (exit !== undefined) return [title, [exit, about].filter(Boolean).join(' · '), hasFailed ? 'failed' : 'idle'];
  const waits = waitsOf(agent);
  const isAsking = waits.some(({ needsAnswer }) => needsAnswer);
  const state = waits.length === 0 ? 'idle' : isAsking ? 'asking' : 'running';
  return [title, [isAsking ? 'waits for an answer' : state, about].filter(Boolean).join(' · '), state];
}

function describeTurn({
  number,
  prompts,
  from,
  to,
  outcome,
  hasFailed,
  calls,
}: Turn): readonly [string, string, string] {
  const text = oneLine(prompts.join(' ')) || 'Not sent by the program';
  const took = to === undefined ? [] : [formatTime(to - from)];
  const tools = calls === 0 ? [] : [`${calls} ${calls === 1 ? 'call' : 'calls'}`];
  const ended = to === undefined ? 'running' : 'idle';
  return [`${number}. ${text}`, [outcome, ...took, ...tools].join(' · '), hasFailed ? 'failed' : ended];
}
