import { cachedPart, sumOf, type Row } from '../fold/run.ts';
import { formatCost, formatCount, formatTime, inputOfAmounts } from '../fold/formats.ts';
import { waitsOf } from '../fold/waiting.ts';
import { AgentsNav, type Scope } from './agents-nav.ts';
import { brand, menuIcon } from './brand.ts';
import { Details } from './details.ts';
import { button, element, facts, setAttribute, setText } from './element.ts';
import { FrameList } from './frame-list.ts';
import type { ShownRun } from './shown-run.ts';
import { themeSelect } from './theme.ts';
import { Toolbar } from './toolbar.ts';

/** How many of the things that are waited for are listed. */
const mostWaits = 4;

/** One run: its agents and turns, its frames, and the details of one. */
export class OneRun {
  readonly box: HTMLElement;
  readonly #run: ShownRun;
  readonly #nav: AgentsNav;
  readonly #list: FrameList;
  readonly #toolbar: Toolbar = new Toolbar(() => this.#filter());
  readonly #state: HTMLElement = element('span', { class: 'state' });
  readonly #facts: HTMLElement = element('div', {});
  readonly #waits: HTMLElement = element('div', { class: 'waits' });
  readonly #announced: HTMLElement = element('p', { class: 'visually-hidden', role: 'status' });
  readonly #notice: HTMLElement = element('p', { class: 'notice', role: 'status' });
  readonly #empty: HTMLElement = element('div', { class: 'empty' });
  readonly #details: Details;
  readonly #panes: HTMLElement;
  readonly #follow: HTMLElement;
  #scope: Scope = { agent: undefined, turn: undefined };

  constructor(run: ShownRun) {
    this.#run = run;
    this.#nav = new AgentsNav(run.fold, (scope) => this.#limit(scope));
    this.#list = new FrameList({
      label: 'Frames',
      id: 'frame',
      run: run.fold,
      onSelect: (row) => this.#open(row),
      onFollow: () => this.#drawFollow(),
    });
    this.#list.follow(run.isLive);
    this.#follow = button('Follow', { class: 'plain', onclick: () => this.#toggleFollow() });
    const back = button('Back to the list', { class: 'plain back', onclick: () => this.#close() });
    this.#details = new Details({ label: 'Details', run, onOpen: (index) => this.#goTo(index), head: [back] });
    const list = element('section', { class: 'list', 'aria-label': 'Frames of the run' }, this.#list.box, this.#empty);
    this.#panes = element('div', { class: 'panes' }, list, this.#details.box);
    const veil = element('div', { class: 'veil', onclick: () => this.#openMenu(false) });
    this.box = element('div', { class: 'app' }, this.#side(), veil, this.#main());
    // Also where nothing has the focus.
    document.addEventListener('keydown', (event) => this.#pressed(event));
    this.#details.showText('Choose a frame to see what it holds. Arrow keys move, / searches, F follows what arrives.');
    this.update();
  }

  update(): void {
    this.#nav.update();
    this.#list.update();
    this.#details.update();
    this.#toolbar.offer(this.#run.fold.agents.flatMap(({ calls }) => [...calls.values()].map(({ name }) => name)));
    this.#drawBar();
    this.#drawWaits();
    this.#drawEmpty();
    this.#drawFollow();
    setText(this.#notice, this.#run.gaps);
  }

  #side(): HTMLElement {
    return element(
      'nav',
      { class: 'sessions', id: 'sessions', 'aria-label': 'Agents and turns' },
      brand(),
      this.#nav.box,
      themeSelect(),
    );
  }

  #main(): HTMLElement {
    const menu = element(
      'button',
      {
        type: 'button',
        class: 'icon-button menu-button',
        'aria-label': 'Agents and turns',
        'aria-controls': 'sessions',
        'aria-expanded': 'false',
      },
      menuIcon(),
    );
    menu.addEventListener('click', () => this.#openMenu(this.box.classList.toggle('menu')));
    const bar = element(
      'header',
      { class: 'bar' },
      menu,
      element('h1', {}, this.#run.name),
      this.#state,
      this.#facts,
      this.#follow,
    );
    return element(
      'main',
      { class: 'main' },
      bar,
      this.#announced,
      this.#waits,
      this.#notice,
      this.#toolbar.box,
      this.#panes,
    );
  }

  #openMenu(isOpen: boolean): void {
    this.box.classList.toggle('menu', isOpen);
    const menu = this.box.querySelector<HTMLElement>('.menu-button');
    if (menu === null) return;
    setAttribute(menu, 'aria-expanded', String(isOpen));
    if (isOpen) this.#nav.box.querySelector('button')?.focus();
    else menu.focus();
  }

  #drawBar(): void {
    const { agents, rows } = this.#run.fold;
    const [text, state] = this.#run.stateText;
    setText(this.#state, text);
    setAttribute(this.#state, 'class', `state ${state}`);
    const turns = agents.flatMap((agent) => agent.turns);
    const spent = sumOf(turns.flatMap(({ amounts }) => amounts ?? []));
    const cached = cachedPart(spent);
    const paused = agents.reduce(
      (sum, { pausedFor, pausedSince }) =>
        sum + pausedFor + (pausedSince === undefined ? 0 : this.#run.now - pausedSince),
      0,
    );
    this.#facts.replaceChildren(
      facts({
        Frames: formatCount(rows.length),
        Turns: formatCount(turns.length),
        Cost: formatCost(spent.cost),
        Tokens: `${formatCount(inputOfAmounts(spent))} in, ${formatCount(spent.output)} out`,
        Cached: cached === undefined ? undefined : `${Math.round(cached * 100)} %`,
        Paused: paused === 0 ? undefined : formatTime(paused),
        Program: this.#run.program,
      }),
    );
  }

  #drawWaits(): void {
    const all = this.#run.fold.agents.flatMap((agent) =>
      waitsOf(agent).map((wait) => ({ ...wait, agent: agent.number })),
    );
    const waits = all.toSorted((a, b) => Number(b.needsAnswer) - Number(a.needsAnswer)).slice(0, mostWaits);
    const place = this.#run.isLive ? 'Agent' : 'At the end of the tape: agent';
    this.#waits.replaceChildren(
      ...waits.map(({ text, since, row, needsAnswer, agent }) =>
        button(`${place} ${agent}: ${text}, for ${formatTime(Math.max(0, this.#run.now - since))}`, {
          class: needsAnswer ? 'wait open' : 'wait',
          onclick: () => this.#goTo(row),
        }),
      ),
    );
    setText(
      this.#announced,
      waits
        .filter(({ needsAnswer }) => needsAnswer)
        .map(({ text }) => text)
        .join('. '),
    );
  }

  #drawEmpty(): void {
    const { rows } = this.#run.fold;
    const isRefused = this.#run.state.kind === 'refused';
    const text = isRefused
      ? 'This address is of an earlier start of the program, or not complete. Open the address that the program printed last.'
      : rows.length === 0
        ? this.#run.isLive
          ? 'No agent was started yet. What the program and its agents send appears here.'
          : this.#run.isOver
            ? 'There is no entry in this tape.'
            : 'Loading…'
        : this.#list.count === 0
          ? 'Nothing fits the filter.'
          : '';
    const clear = button('Clear the filter', { class: 'plain', onclick: () => this.#toolbar.clear() });
    this.#empty.hidden = text === '';
    if (this.#empty.firstChild?.textContent === text) return;
    const isFiltered = !isRefused && rows.length > 0;
    this.#empty.replaceChildren(element('p', isRefused ? { role: 'alert' } : {}, text), ...(isFiltered ? [clear] : []));
  }

  #filter(): void {
    this.#list.show({ ...this.#toolbar.filter, ...this.#scope });
    this.#drawEmpty();
  }

  #limit(scope: Scope): void {
    this.#scope = scope;
    if (this.box.classList.contains('menu')) this.#openMenu(false);
    this.#filter();
  }

  /** Shows a row also where the filter hides it. */
  #goTo(index: number): void {
    if (this.#toolbar.isActive) this.#toolbar.clear();
    if (this.#scope.agent !== undefined) this.#limit({ agent: undefined, turn: undefined });
    this.#list.select(index);
  }

  #open(row: Row): void {
    this.#details.show(row);
    this.#panes.classList.add('opened');
  }

  #close(): void {
    this.#panes.classList.remove('opened');
    this.#list.box.focus();
  }

  #toggleFollow(): void {
    this.#list.follow(!this.#list.follows);
    this.#drawFollow();
  }

  #drawFollow(): void {
    this.#follow.hidden = !this.#run.isLive;
    setAttribute(this.#follow, 'aria-pressed', String(this.#list.follows));
  }

  #pressed(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') {
      if (this.box.classList.contains('menu')) this.#openMenu(false);
      else this.#close();
      return;
    }
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
    if (event.key === '/') this.#toolbar.search.focus();
    else if (event.key.toLowerCase() === 'f') this.#toggleFollow();
    else if (event.key === 'Enter' && event.target === this.#list.box) this.#enter();
    else return;
    event.preventDefault();
  }

  /** From the list to the frame that it shows. */
  #enter(): void {
    this.#panes.classList.add('opened');
    this.#details.box.querySelector<HTMLElement>('[role=treeitem][tabindex="0"]')?.focus();
  }
}
