/** A choice of a person, kept in this browser. */
type Preference = 'theme' | 'shortcuts';

export function preference(name: Preference): string | undefined {
  return localStorage.getItem(`redial.${name}`) ?? undefined;
}

export function setPreference(name: Preference, value: string): void {
  localStorage.setItem(`redial.${name}`, value);
}

const systemDark = matchMedia('(prefers-color-scheme: dark)');

/** The choice of the person, else of their system. */
export function isDark(): boolean {
  const chosen = preference('theme');
  return chosen === undefined ? systemDark.matches : chosen === 'dark';
}

/** Calls back when the system changes between light and dark. @returns a function that ends it */
export function onSystemTheme(changed: () => void): () => void {
  systemDark.addEventListener('change', changed);
  return () => systemDark.removeEventListener('change', changed);
}

export function applyTheme(): void {
  document.documentElement.dataset['theme'] = isDark() ? 'dark' : 'light';
}
