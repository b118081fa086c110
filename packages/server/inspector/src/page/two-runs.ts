import { firstDifference, type Difference } from '../fold/difference.ts';
import { formatCount } from '../fold/formats.ts';
import { brand } from './brand.ts';
import { Details } from './details.ts';
import { button, element } from './element.ts';
import { FrameList } from './frame-list.ts';
import type { ShownRun } from './shown-run.ts';
import { themeSelect } from './theme.ts';
import { Toolbar } from './toolbar.ts';

const directions = { in: 'what the agent sent', out: 'what the program sent', mark: 'how the agent ran' } as const;

/** One of the two. */
class Side {
  readonly box: HTMLElement;
  readonly list: FrameList;
  readonly details: Details;
  readonly run: ShownRun;

  constructor(run: ShownRun, side: 'left' | 'right') {
    this.run = run;
    this.list = new FrameList({
      label: `Frames of ${run.name}, ${side}`,
      id: side,
      run: run.fold,
      onSelect: (row) => this.details.show(row),
      onFollow: () => {},
    });
    this.list.follow(false);
    this.box = element(
      'section',
      { class: 'list', 'aria-label': `${run.name}, ${side}` },
      element('h2', {}, run.name),
      this.list.box,
    );
    this.details = new Details({ label: `Details, ${side}`, run, onOpen: (index) => this.list.select(index) });
  }

  /** The row of a difference, or that the run has ended before it. */
  show(index: number | undefined, marked: readonly string[]): void {
    const row = index === undefined ? undefined : this.run.fold.rows[index];
    if (row === undefined) return this.details.showText('This run has no such frame.');
    this.list.select(row.index, { isNotified: false });
    this.details.show(row, marked);
  }
}

/** Two runs side by side, and where they part. */
export class TwoRuns {
  readonly box: HTMLElement;
  readonly #sides: readonly [Side, Side];
  readonly #verdict: HTMLElement = element('div', { class: 'verdict', role: 'status' });
  readonly #toolbar: Toolbar = new Toolbar(() => this.#filter());
  #isCompared = false;

  constructor(left: ShownRun, right: ShownRun) {
    this.#sides = [new Side(left, 'left'), new Side(right, 'right')];
    const bar = element(
      'header',
      { class: 'bar' },
      brand(),
      element('h1', {}, `${left.name} and ${right.name}`),
      themeSelect(),
    );
    const lists = this.#sides.map(({ box }) => box);
    const details = this.#sides.map((side) => side.details.box);
    this.box = element(
      'main',
      { class: 'main two' },
      bar,
      this.#verdict,
      this.#toolbar.box,
      element('div', { class: 'pair' }, ...lists),
      element('div', { class: 'pair' }, ...details),
    );
    this.update();
  }

  update(): void {
    for (const { list } of this.#sides) list.update();
    const tools = this.#sides.flatMap(({ run }) => run.fold.agents.flatMap(({ calls }) => [...calls.values()]));
    this.#toolbar.offer(tools.map(({ name }) => name));
    if (this.#isCompared || !this.#sides.every(({ run }) => run.isOver)) return;
    this.#isCompared = true;
    this.#compare();
  }

  #compare(): void {
    const [left, right] = this.#sides;
    const refused = this.#sides.some(({ run }) => run.state.kind === 'refused');
    if (refused) {
      this.#verdict.replaceChildren('The runs cannot be read. Open the address that the command printed last.');
      return;
    }
    const difference = firstDifference(left.run.fold, right.run.fold);
    if (difference === undefined) {
      this.#verdict.replaceChildren('The runs are the same, but for ids, times and folders.');
      return;
    }
    this.#verdict.replaceChildren(
      element('p', {}, describe(difference)),
      button('Show it', { class: 'plain', onclick: () => this.#show(difference) }),
      ...tableOf(difference),
    );
    this.#show(difference);
  }

  #show(difference: Difference): void {
    const marked = difference.parts.map(({ path }) => path);
    const [left, right] = this.#sides;
    left.show(difference.left, marked);
    right.show(difference.right, marked);
  }

  #filter(): void {
    for (const { list } of this.#sides) list.show(this.#toolbar.filter);
  }
}

function describe({ agent, direction, left, right, same }: Difference): string {
  const where = `First difference: in ${directions[direction]}, agent ${agent}, after ${formatCount(same)} ${same === 1 ? 'frame of this kind that is' : 'frames of this kind that are'} the same`;
  if (left === undefined) return `${where}. The left run ends there.`;
  if (right === undefined) return `${where}. The right run ends there.`;
  return `${where}: line ${formatCount(left + 1)} on the left, line ${formatCount(right + 1)} on the right.`;
}

/** What differs, first of all. */
function tableOf({ parts }: Difference): readonly HTMLElement[] {
  if (parts.length === 0) return [];
  const head = ['Part', 'Left', 'Right'].map((name) => element('th', { scope: 'col' }, name));
  const rows = parts
    .slice(0, 5)
    .map(({ path, left, right }) =>
      element(
        'tr',
        {},
        element('th', { scope: 'row' }, path),
        ...[left, right].map((value) => element('td', {}, value === undefined ? '—' : shortly(value))),
      ),
    );
  return [element('table', {}, element('thead', {}, element('tr', {}, ...head)), element('tbody', {}, ...rows))];
}

function shortly(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
