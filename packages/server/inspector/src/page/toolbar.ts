import type { Direction } from '../fold/entry.ts';
import type { RowKind } from '../fold/run.ts';
import { button, element, select, setAttribute, setChoices } from './element.ts';
import { everything, kindNames, type Filter } from './filter.ts';

/** Long enough to type on: a search reads every line. */
const pauseMs = 120;

const directionNames = { '': 'Both directions', out: 'To the agent', in: 'From the agent', mark: 'Neither' } as const;

/** What is listed: a text, a direction, a tool, and kinds of frames. */
export class Toolbar {
  readonly box: HTMLElement;
  readonly search: HTMLInputElement;
  readonly #onChange: () => void;
  readonly #hidden = new Set<RowKind>();
  readonly #tool: HTMLSelectElement;
  readonly #direction: HTMLSelectElement;
  readonly #tools = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
    this.search = element('input', {
      type: 'search',
      'aria-label': 'Search frames',
      placeholder: 'Search frames ( / )',
      oninput: () => this.#soon(),
    });
    this.#direction = select('Direction', directionNames, onChange);
    this.#tool = select('Tool', { '': 'All tools' }, onChange);
    this.box = element(
      'div',
      { class: 'toolbar', role: 'group', 'aria-label': 'Filter' },
      this.search,
      this.#direction,
      this.#tool,
      element('div', { class: 'kinds', role: 'group', 'aria-label': 'Kinds of frames' }, ...this.#kinds()),
    );
  }

  get filter(): Filter {
    const direction = directionOf(this.#direction.value);
    const text = this.search.value.trim().toLowerCase();
    return { ...everything, text, direction, hidden: new Set(this.#hidden), tool: this.#tool.value || undefined };
  }

  /** Whether anything is filtered out. */
  get isActive(): boolean {
    const { text, direction, hidden, tool } = this.filter;
    return text !== '' || direction !== undefined || tool !== undefined || hidden.size > 0;
  }

  /** The tools that can be chosen are those that were called. */
  offer(tools: Iterable<string>): void {
    const before = this.#tools.size;
    for (const tool of tools) this.#tools.add(tool);
    if (this.#tools.size === before) return;
    const names = [...this.#tools].toSorted().map((name) => [name, name]);
    setChoices(this.#tool, { '': 'All tools', ...Object.fromEntries(names) });
  }

  clear(): void {
    this.search.value = '';
    this.#direction.value = '';
    this.#tool.value = '';
    this.#hidden.clear();
    for (const each of this.box.querySelectorAll('[aria-pressed]')) setAttribute(each, 'aria-pressed', 'true');
    this.#onChange();
  }

  #kinds(): readonly HTMLElement[] {
    return Object.entries(kindNames).map(([name, label]) => {
      const made = button(label, { class: 'kind', 'aria-pressed': 'true', onclick: () => this.#toggle(name, made) });
      return made;
    });
  }

  #toggle(name: string, pressed: HTMLElement): void {
    if (!isKind(name)) return;
    const isHidden = this.#hidden.delete(name);
    if (!isHidden) this.#hidden.add(name);
    setAttribute(pressed, 'aria-pressed', String(isHidden));
    this.#onChange();
  }

  #soon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onChange, pauseMs);
  }
}

const isKind = (name: string): name is RowKind => name in kindNames;

function directionOf(value: string): Direction | undefined {
  return value === 'in' || value === 'out' || value === 'mark' ? value : undefined;
}
