import { element, select } from './element.ts';

const themes = { system: 'System', light: 'Light', dark: 'Dark' } as const;

/** The style sheet has both colors of everything, and takes those of the system unless this is set. */
function applyTheme(theme: string): void {
  document.documentElement.dataset['theme'] = theme;
}

export function themeSelect(): HTMLElement {
  const stored = localStorage.getItem('theme') ?? '';
  const chosen = select('Theme', themes, (theme) => {
    localStorage.setItem('theme', theme);
    applyTheme(theme);
  });
  if (stored in themes) chosen.value = stored;
  applyTheme(chosen.value);
  return element('div', { class: 'theme' }, element('span', { 'aria-hidden': 'true' }, 'Theme'), chosen);
}
