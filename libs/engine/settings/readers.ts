import type { Reader } from './setting.js';

export const anyText: Reader<string> = { form: 'a text', read: (text) => text };

export function whole(from: number, to: number, what = 'number'): Reader<number> {
  return {
    form: `a whole ${what} from ${from} to ${to}`,
    read(text) {
      const value = Number(text);
      return Number.isInteger(value) && value >= from && value <= to ? value : undefined;
    },
  };
}

export function milliseconds(from: number, to: number): Reader<number> {
  return whole(from, to, 'number of milliseconds');
}

export function matching(pattern: RegExp, form: string): Reader<string> {
  return { form, read: (text) => (pattern.test(text) ? text : undefined) };
}

export function url(pattern: RegExp, form: string): Reader<string> {
  return { form, read: (text) => (pattern.test(text) && URL.canParse(text) ? text : undefined) };
}

export function oneOf<T extends string>(...values: readonly T[]): Reader<T> {
  return {
    form: `one of ${values.join(', ')}`,
    read: (text) => values.find((value) => value === text),
  };
}
