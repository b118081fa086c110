import { useState } from 'react';

const themes = { system: 'System', light: 'Light', dark: 'Dark' } as const;
type Theme = keyof typeof themes;

const isTheme = (value: unknown): value is Theme => typeof value === 'string' && value in themes;

function storedTheme(): Theme {
  const stored = window.localStorage.getItem('theme');
  return isTheme(stored) ? stored : 'system';
}

/** The style sheet has both colors of everything, and takes those of the system unless this is set. */
export function applyTheme(theme: Theme = storedTheme()): void {
  document.documentElement.dataset['theme'] = theme;
}

export function ThemeSelect() {
  const [theme, setTheme] = useState(storedTheme);
  const choose = (value: string): void => {
    if (!isTheme(value)) return;
    setTheme(value);
    window.localStorage.setItem('theme', value);
    applyTheme(value);
  };
  return (
    <label className="theme">
      Theme
      <select value={theme} onChange={({ target }) => choose(target.value)}>
        {Object.entries(themes).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
