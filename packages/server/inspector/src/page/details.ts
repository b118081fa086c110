import { frameOf, listAt, readEntry, textAt } from '../fold/entry.ts';
import { formatBytes, formatCount, formatOffset } from '../fold/formats.ts';
import type { Row } from '../fold/run.ts';
import { button, element, facts } from './element.ts';
import { JsonTree } from './json-tree.ts';
import { isUnsettled, relatedOf } from './related.ts';
import type { ShownRun } from './shown-run.ts';

interface DetailsOptions {
  readonly label: string;
  readonly run: ShownRun;
  readonly onOpen: (row: number) => void;
  /** What stands above. */
  readonly head?: readonly HTMLElement[];
}

/** Everything about one row. What it is a part of may change later, and is drawn again; the frame is drawn once. */
export class Details {
  readonly box: HTMLElement;
  readonly #options: DetailsOptions;
  readonly #related: HTMLElement = element('div', {});
  #row: Row | undefined;
  /** Whether what is drawn cannot change any more. */
  #isFinal = true;

  constructor(options: DetailsOptions) {
    this.#options = options;
    this.box = element('section', { class: 'details', 'aria-label': options.label });
  }

  /** @param marked paths of the frame that stand out */
  show(row: Row, marked: readonly string[] = []): void {
    const entry = readEntry(row.line);
    if (entry === undefined) return;
    this.#row = row;
    const { frame } = frameOf(entry);
    const [name, shown] = frame === undefined ? (['Entry', entry] as const) : (['Frame', frame] as const);
    const onclick = (): void => void navigator.clipboard.writeText(JSON.stringify(shown));
    this.box.replaceChildren(
      ...(this.#options.head ?? []),
      element('h2', {}, row.type),
      facts({
        Time: formatOffset(row.t),
        From: directions[row.direction],
        Agent: `${row.agent}${row.turn === 0 ? '' : `, turn ${row.turn}`}`,
        Line: formatCount(row.index + 1),
        Size: formatBytes(row.line.length),
        Redacted: listAt(entry, 'redacted')
          .map((each) => textAt(each, 'path'))
          .join(', '),
      }),
      this.#related,
      element('div', { class: 'heading' }, element('h3', {}, name), button('Copy', { class: 'plain', onclick })),
      new JsonTree(name, shown, marked).box,
    );
    this.#drawRelated(row);
    this.box.scrollTop = 0;
  }

  showText(text: string): void {
    this.#row = undefined;
    this.box.replaceChildren(element('p', { class: 'hint' }, text));
  }

  /** Called after the run has changed. */
  update(): void {
    // What has the focus is not taken away.
    if (this.#row === undefined || this.#isFinal || this.#related.matches(':focus-within')) return;
    this.#drawRelated(this.#row);
  }

  #drawRelated(row: Row): void {
    const { run, onOpen } = this.#options;
    this.#isFinal = !isUnsettled(row);
    this.#related.replaceChildren(...relatedOf(row, { run: run.fold, now: run.now, onOpen }));
  }
}

const directions = { out: 'the program', in: 'the agent', mark: 'this process' } as const;
