import type { Budget } from './budget.js';

/** Whether two JSON values are equal: the order of members does not matter. */
export function equal(a: unknown, b: unknown, budget: Budget): boolean {
  budget.spend(0.25);
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [members, others] = [Object.entries(a), b as { readonly [name: string]: unknown }];
  if (members.length !== Object.keys(others).length) return false;
  budget.spend(members.length);
  return members.every(([name, value]) => Object.hasOwn(others, name) && equal(value, others[name], budget));
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
  if (Array.isArray(value)) return `[${value.map((item) => canonicalText(item, budget)).join(',')}]`;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  budget.spend(members.length * 4);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member, budget)}`).join(',')}}`;
}
