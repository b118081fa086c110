import { endingOf, summaryOf } from '../fold/labels.ts';
import { formatOffset } from '../fold/formats.ts';
import type { RunFold } from '../fold/run-fold.ts';
import { stateOf, type Agent, type Row } from '../fold/run.ts';
import { element, setAttribute, setText } from './element.ts';
import { everything, isShown, type Filter } from './filter.ts';

/** Drawn above and below what is seen, so that a short scroll shows no gap. */
const spareRows = 8;

interface ListOptions {
  readonly label: string;
  /** Makes the ids of rows unique where there are two lists. */
  readonly id: string;
  readonly run: RunFold;
  readonly onSelect: (row: Row) => void;
  /** Whether the list moves with what arrives; scrolling away ends it. */
  readonly onFollow: (follows: boolean) => void;
}

/** The rows of a run. Only those that are seen are in the document: a long run has a hundred thousand. */
export class FrameList {
  readonly box: HTMLElement;
  selected: number | undefined;
  readonly #options: ListOptions;
  readonly #space: HTMLElement = element('div', { class: 'space', role: 'presentation' });
  /** What is in the document, by the index of its row: an element is never one of another row. */
  readonly #drawn = new Map<number, HTMLElement>();
  #filter: Filter = everything;
  /** The rows that the filter shows, and how many of the run it has seen. */
  #shown: number[] = [];
  #read = 0;
  #follows = true;
  #isPlanned = false;

  constructor(options: ListOptions) {
    this.#options = options;
    this.box = element(
      'div',
      {
        class: 'frames',
        role: 'listbox',
        tabindex: 0,
        'aria-label': options.label,
        onscroll: () => this.#scrolled(),
        onkeydown: (event) => this.#pressed(event),
        onclick: (event) => this.#clicked(event),
      },
      this.#space,
    );
    new ResizeObserver(() => this.#plan()).observe(this.box);
  }

  get count(): number {
    return this.#shown.length;
  }

  get follows(): boolean {
    return this.#follows;
  }

  follow(follows: boolean): void {
    this.#follows = follows;
    this.#plan();
  }

  show(filter: Filter): void {
    this.#filter = filter;
    this.#shown = [];
    this.#read = 0;
    this.update();
  }

  /** Called after the run has changed. */
  update(): void {
    const { rows } = this.#options.run;
    for (; this.#read < rows.length; this.#read += 1) {
      const row = rows[this.#read];
      if (row !== undefined && isShown(row, this.#filter)) this.#shown.push(row.index);
    }
    this.#plan();
  }

  select(index: number, { isNotified = true }: { readonly isNotified?: boolean } = {}): void {
    const row = this.#options.run.rows[index];
    if (row === undefined) return;
    this.selected = index;
    this.#setFollows(false);
    this.#reveal(this.#placeOf(index));
    this.#plan();
    if (isNotified) this.#options.onSelect(row);
  }

  /** The place of a row among those that are shown, or of the next one. */
  #placeOf(index: number): number {
    let [low, high] = [0, this.#shown.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#shown[middle] ?? 0) < index) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  get #rowHeight(): number {
    return matchMedia('(width < 760px), (pointer: coarse)').matches ? 44 : 28;
  }

  #reveal(place: number): void {
    const top = place * this.#rowHeight;
    const { scrollTop, clientHeight } = this.box;
    // The height may not have been drawn yet.
    this.#space.style.height = `${this.#shown.length * this.#rowHeight}px`;
    if (top < scrollTop || top + this.#rowHeight > scrollTop + clientHeight)
      this.box.scrollTop = top - clientHeight / 2;
  }

  #setFollows(follows: boolean): void {
    if (this.#follows === follows) return;
    this.#follows = follows;
    this.#options.onFollow(follows);
  }

  #scrolled(): void {
    const { scrollTop, clientHeight, scrollHeight } = this.box;
    if (scrollTop + clientHeight < scrollHeight - 2 * this.#rowHeight && !this.#isPlanned) this.#setFollows(false);
    this.#plan();
  }

  #clicked({ target }: Event): void {
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null;
    if (row !== null) this.select(Number(row.dataset['row']));
  }

  #pressed(event: Event): void {
    if (!(event instanceof KeyboardEvent) || event.ctrlKey || event.metaKey || event.altKey) return;
    const place = this.selected === undefined ? -1 : this.#placeOf(this.selected);
    const page = Math.max(1, Math.floor(this.box.clientHeight / this.#rowHeight) - 1);
    const last = this.#shown.length - 1;
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: place + 1,
      ArrowUp: place - 1,
      PageDown: place + page,
      PageUp: place - page,
      Home: 0,
      End: last,
    };
    const target = targets[event.key];
    if (target === undefined || last < 0) return;
    event.preventDefault();
    const index = this.#shown[Math.min(last, Math.max(0, target))];
    if (index !== undefined) this.select(index);
  }

  /** Drawn once for all changes before the next frame of the screen. */
  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    requestAnimationFrame(() => {
      this.#draw();
      this.#isPlanned = false;
    });
  }

  #draw(): void {
    const height = this.#rowHeight;
    this.#space.style.height = `${this.#shown.length * height}px`;
    if (this.#follows) this.box.scrollTop = this.box.scrollHeight;
    const first = Math.max(0, Math.floor(this.box.scrollTop / height) - spareRows);
    const count = Math.ceil(this.box.clientHeight / height) + 2 * spareRows;
    const places = this.#shown.slice(first, first + count);
    for (const [index, box] of this.#drawn) if (!places.includes(index)) this.#remove(index, box);
    for (const [at, index] of places.entries()) this.#drawRow(this.#boxOf(index), index, first + at);
    const isDrawn = this.selected !== undefined && places.includes(this.selected);
    setAttribute(this.box, 'aria-activedescendant', isDrawn ? `${this.#options.id}-${this.selected}` : undefined);
  }

  #boxOf(index: number): HTMLElement {
    const known = this.#drawn.get(index);
    if (known !== undefined) return known;
    const made = element(
      'div',
      { role: 'option', id: `${this.#options.id}-${index}`, 'data-row': index },
      ...columns.map((name) => element('span', { class: name })),
    );
    this.#drawn.set(index, made);
    this.#space.append(made);
    return made;
  }

  #remove(index: number, box: HTMLElement): void {
    this.#drawn.delete(index);
    box.remove();
  }

  #drawRow(box: HTMLElement, index: number, place: number): void {
    const { run } = this.#options;
    const row = run.rows[index];
    const agent = row && run.agent(row.agent);
    if (row === undefined || agent === undefined) return;
    box.style.transform = `translateY(${place * this.#rowHeight}px)`;
    setAttribute(box, 'class', `row ${row.kind} ${row.direction} ${markOf(row, agent)}`);
    setAttribute(box, 'aria-selected', String(index === this.selected));
    setAttribute(box, 'aria-posinset', place + 1);
    setAttribute(box, 'aria-setsize', this.#shown.length);
    const texts = [formatOffset(row.t), arrows[row.direction], row.type, summaryOf(row, agent), endingOf(row, agent)];
    for (const [at, text] of texts.entries()) {
      const column = box.children[at];
      if (column !== undefined) setText(column, text);
    }
    setAttribute(box, 'title', row.parent === undefined ? undefined : 'Of a subagent');
  }
}

const columns = ['when', 'way', 'type', 'what', 'end'] as const;
const arrows = { out: '→', in: '←', mark: '·' } as const;

/** What of a row is to catch the eye. */
function markOf({ index, ask, call, parent }: Row, agent: Agent): string {
  const nested = parent === undefined ? '' : 'nested ';
  if (ask?.row === index && ask.kind !== 'tool') return nested + (ask.answer?.outcome ?? 'open');
  return call?.row === index ? nested + stateOf(call, agent) : nested;
}
