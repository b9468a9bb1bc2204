export const THEMES = ['system', 'dark', 'light'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'hostler-theme';
const prefersLight = matchMedia('(prefers-color-scheme: light)');

const isTheme = (value: unknown): value is Theme => THEMES.some(theme => theme === value);

export function chosenTheme(): Theme {
  const kept = localStorage.getItem(KEY);
  return isTheme(kept) ? kept : 'system';
}

/** Puts it on. */
export function wearTheme(theme = chosenTheme()): void {
  const isLight = theme === 'light' || (theme === 'system' && prefersLight.matches);
  document.documentElement.dataset['theme'] = isLight ? 'light' : 'dark';
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  wearTheme(theme);
}

prefersLight.addEventListener('change', () => wearTheme());
