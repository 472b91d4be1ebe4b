import type { Budget } from './budget.js';

/** Whether two JSON values are equal: the order of members does not matter. */
export function equal(a: unknown, b: unknown, budget: Budget): boolean {
  budget.spend(0.25);
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) return equalLists(a, b, budget);
  const [names, others] = [Object.keys(a), Object.keys(b)];
  budget.spend(1 + names.length + others.length);
  if (names.length !== others.length) return false;
  return names.every(
    (name) => Object.hasOwn(b, name) && equal(a[name as keyof typeof a], b[name as keyof typeof b], budget),
  );
}

function equalLists(a: object, b: object, budget: Budget): boolean {
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  budget.spend(1 + a.length);
  return a.every((item, index) => equal(item, b[index], budget));
}

/** The indexes of two equal items, or nothing: takes time linear in the items, not in their pairs. */
export function equalItems(items: readonly unknown[], budget: Budget): { i: number; j: number } | undefined {
  const seen = new Map<string, number>();
  for (const [i, item] of items.entries()) {
    const text = canonicalText(item, budget);
    const j = seen.get(text);
    if (j !== undefined) return { i, j };
    seen.set(text, i);
  }
  return undefined;
}

function canonicalText(value: unknown, budget: Budget): string {
  if (typeof value !== 'object' || value === null) {
    const text = JSON.stringify(value);
    budget.spend(1 + text.length / 16);
    return text;
  }
  if (Array.isArray(value))
    return charged(`[${value.map((item) => canonicalText(item, budget)).join(',')}]`, budget);
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  budget.spend(members.length * 4);
  const texts = members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member, budget)}`);
  return charged(`{${texts.join(',')}}`, budget);
}

/** A value within others is part of the text of each. */
function charged(text: string, budget: Budget): string {
  budget.spend(1 + text.length / 12);
  return text;
}
