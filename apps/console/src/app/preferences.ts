/** A choice of a person, kept in this browser. */
type Preference = 'theme' | 'shortcuts';

export function preference(name: Preference): string | undefined {
  return localStorage.getItem(`redial.${name}`) ?? undefined;
}

export function setPreference(name: Preference, value: string): void {
  localStorage.setItem(`redial.${name}`, value);
}

/** The choice of the person, else that of their system. */
export function isDark(): boolean {
  const chosen = preference('theme');
  return chosen === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark';
}

export function applyTheme(dark = isDark()): void {
  document.documentElement.dataset['theme'] = dark ? 'dark' : 'light';
}
