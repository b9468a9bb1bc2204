export const THEMES = ['system', 'dark', 'light'] as const;
export type Theme = (typeof THEMES)[number];

const STORAGE_KEY = 'hostler-theme';
const prefersLight = matchMedia('(prefers-color-scheme: light)');

const isTheme = (value: unknown): value is Theme => THEMES.some(theme => theme === value);

export function savedTheme(): Theme {
  const stored = localStorage.getItem(STORAGE_KEY);
  return isTheme(stored) ? stored : 'system';
}

export function applyTheme(theme = savedTheme()): void {
  const isLight = theme === 'light' || (theme === 'system' && prefersLight.matches);
  document.documentElement.dataset['theme'] = isLight ? 'light' : 'dark';
}

export function saveTheme(theme: Theme): void {
  localStorage.setItem(STORAGE_KEY, theme);
  applyTheme(theme);
}

prefersLight.addEventListener('change', () => applyTheme());
