import { formatCount } from '../fold/formats.ts';
import { element, setAttribute } from './element.ts';

/** Members of one object that are drawn at once, and characters of one text. */
const mostMembers = 100;
const mostCharacters = 2000;
/** Deeper than this, members are closed at first. */
const openDepth = 2;

interface Node {
  readonly name: string;
  readonly value: unknown;
  readonly depth: number;
  /** Members of an object that was open on another row stay open. */
  readonly path: string;
}

/** A value as a tree that opens and closes. */
export class JsonTree {
  readonly box: HTMLElement;
  readonly #marked: ReadonlySet<string>;

  /** @param marked the paths that stand out, and are open */
  constructor(label: string, value: unknown, marked: readonly string[] = []) {
    this.#marked = new Set(marked);
    this.box = element('ul', {
      class: 'json',
      role: 'tree',
      'aria-label': label,
      onkeydown: (event) => this.#pressed(event),
      onclick: (event) => this.#clicked(event),
    });
    const members = membersOf(value);
    const nodes = members ?? [['', value] as const];
    this.box.append(...nodes.map(([name, each]) => this.#item({ name, value: each, depth: 0, path: name })));
    this.#items()[0]?.setAttribute('tabindex', '0');
  }

  #item(node: Node): HTMLElement {
    const members = membersOf(node.value);
    const line = element('div', { class: 'line' }, ...labelOf(node, members));
    const item = element('li', { role: 'treeitem', tabindex: -1, 'data-path': node.path }, line);
    item.classList.toggle('marked', this.#marked.has(node.path));
    if (members === undefined || members.length === 0) return item;
    const group = element('ul', { role: 'group' });
    item.append(group);
    openers.set(item, () => {
      if (group.childElementCount === 0) this.#fill(group, node, members);
    });
    setOpen(item, node.depth < openDepth - 1 || this.#leadsToMark(node.path));
    return item;
  }

  #leadsToMark(path: string): boolean {
    return [...this.#marked].some((each) => each.startsWith(`${path}.`));
  }

  #fill(group: HTMLElement, { depth, path }: Node, members: Members): void {
    const itemOf = ([name, value]: Members[number]): HTMLElement =>
      this.#item({ name, value, depth: depth + 1, path: `${path}.${name}` });
    group.append(...members.slice(0, mostMembers).map(itemOf));
    const rest = members.slice(mostMembers);
    if (rest.length === 0) return;
    const more = element('li', { role: 'treeitem', tabindex: -1, class: 'more' }, `${formatCount(rest.length)} more`);
    openers.set(more, () => more.replaceWith(...rest.map(itemOf)));
    group.append(more);
  }

  /** Those that are not in a closed one, in their order. */
  #items(): readonly HTMLElement[] {
    return [...this.box.querySelectorAll<HTMLElement>('[role=treeitem]')].filter(
      (item) => item.parentElement?.closest('[aria-expanded=false]') === null,
    );
  }

  #clicked({ target }: Event): void {
    if (!(target instanceof Element) || (window.getSelection()?.toString() ?? '') !== '') return;
    const item = target.closest<HTMLElement>('[role=treeitem]');
    if (item === null) return;
    this.#focus(item);
    toggle(item);
  }

  #pressed(event: Event): void {
    const { target } = event;
    if (!(event instanceof KeyboardEvent) || !(target instanceof HTMLElement)) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const items = this.#items();
    const at = items.indexOf(target);
    const isOpen = target.getAttribute('aria-expanded') === 'true';
    const parent = target.parentElement?.closest<HTMLElement>('[role=treeitem]') ?? undefined;
    const next: Readonly<Record<string, HTMLElement | undefined>> = {
      ArrowDown: items[at + 1],
      ArrowUp: items[at - 1],
      Home: items[0],
      End: items.at(-1),
      ArrowRight: isOpen ? items[at + 1] : undefined,
      ArrowLeft: isOpen ? undefined : parent,
    };
    if (!(event.key in next) && event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    event.stopPropagation();
    const found = next[event.key];
    if (found !== undefined) this.#focus(found);
    else if (['Enter', ' '].includes(event.key) || event.key === (isOpen ? 'ArrowLeft' : 'ArrowRight')) toggle(target);
  }

  #focus(item: HTMLElement): void {
    for (const each of this.box.querySelectorAll('[tabindex="0"]')) each.setAttribute('tabindex', '-1');
    item.setAttribute('tabindex', '0');
    item.focus();
  }
}

/** What draws the members of an item, when it is opened for the first time. */
const openers = new WeakMap<Element, () => void>();

function toggle(item: HTMLElement): void {
  if (item.classList.contains('more')) openers.get(item)?.();
  else if (openers.has(item)) setOpen(item, item.getAttribute('aria-expanded') !== 'true');
}

function setOpen(item: HTMLElement, isOpen: boolean): void {
  if (isOpen) openers.get(item)?.();
  setAttribute(item, 'aria-expanded', String(isOpen));
}

type Members = readonly (readonly [string, unknown])[];

/** `undefined` for anything but an object or a list. */
const membersOf = (value: unknown): Members | undefined =>
  typeof value === 'object' && value !== null ? Object.entries(value) : undefined;

function labelOf({ name, value }: Node, members: Members | undefined): readonly HTMLElement[] {
  const key = name === '' ? [] : [element('span', { class: 'key' }, name)];
  if (members !== undefined) {
    const [open, close] = Array.isArray(value) ? '[]' : '{}';
    const text = members.length === 0 ? `${open}${close}` : `${open} ${formatCount(members.length)} ${close}`;
    return [...key, element('span', { class: 'count' }, text)];
  }
  return [...key, valueOf(value)];
}

function valueOf(value: unknown): HTMLElement {
  if (typeof value !== 'string')
    return element('span', { class: value === null ? 'null' : typeof value }, String(value));
  if (value.length <= mostCharacters) return element('span', { class: 'string' }, value === '' ? '""' : value);
  const rest = element(
    'button',
    { type: 'button', class: 'rest' },
    `${formatCount(value.length - mostCharacters)} more`,
  );
  const text = element('span', { class: 'string' }, value.slice(0, mostCharacters), rest);
  rest.addEventListener('click', (event) => {
    event.stopPropagation();
    text.replaceChildren(value);
  });
  return text;
}
