type Attribute = boolean | number | string | undefined;
type Listener = (event: Event) => void;

export interface Attributes {
  /** `onclick` and its like are listeners; `false` and `undefined` leave an attribute out, `true` is an empty one. */
  readonly [name: string]: Attribute | Listener;
}

export type Child = Node | string;

/** Text is always set as text: no part of a frame is read as HTML. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(key.slice(2), value);
    else setAttribute(made, key, value);
  }
  made.append(...children);
  return made;
}

export function setAttribute(of: Element, name: string, value: Attribute): void {
  const text = value === true ? '' : String(value);
  if (value === undefined || value === false) of.removeAttribute(name);
  else if (of.getAttribute(name) !== text) of.setAttribute(name, text);
}

/** Leaves a text node alone that has the text already: a screen reader would announce it again. */
export function setText(of: Element, text: string): void {
  if (of.textContent !== text) of.textContent = text;
}

export function button(label: string, attributes: Attributes): HTMLButtonElement {
  return element('button', { type: 'button', ...attributes }, label);
}

/** A select whose choices are texts, the first of them chosen. */
export function select(
  label: string,
  choices: Readonly<Record<string, string>>,
  onChange: (value: string) => void,
): HTMLSelectElement {
  const made = element('select', { 'aria-label': label, onchange: () => onChange(made.value) });
  setChoices(made, choices);
  return made;
}

export function setChoices(of: HTMLSelectElement, choices: Readonly<Record<string, string>>): void {
  const { value } = of;
  of.replaceChildren(...Object.entries(choices).map(([key, text]) => element('option', { value: key }, text)));
  if (value in choices) of.value = value;
}

/** `<dt>` and `<dd>` for each fact that there is. */
export function facts(of: Readonly<Record<string, Child | undefined>>): HTMLElement {
  const pairs = Object.entries(of).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [element('div', {}, element('dt', {}, name), element('dd', {}, value))],
  );
  return element('dl', { class: 'facts' }, ...pairs);
}
