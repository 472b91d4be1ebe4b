import type { Allowance } from '#lib/kernel';

/** Whether two JSON values are equal. The order of members does not matter. */
export function equal(a: unknown, b: unknown, allowance: Allowance): boolean {
  allowance.spend(0.25);
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) return equalLists(a, b, allowance);
  const [names, others] = [Object.keys(a), Object.keys(b)];
  allowance.spend(1 + names.length + others.length);
  if (names.length !== others.length) return false;
  return names.every(
    (name) =>
      Object.hasOwn(b, name) && equal(a[name as keyof typeof a], b[name as keyof typeof b], allowance),
  );
}

function equalLists(a: object, b: object, allowance: Allowance): boolean {
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  allowance.spend(1 + a.length);
  return a.every((item, index) => equal(item, b[index], allowance));
}

/** The indexes of two equal items, if there are any. The time is linear in the items, not in their pairs. */
export function equalItems(
  items: readonly unknown[],
  allowance: Allowance,
): { i: number; j: number } | undefined {
  const seen = new Map<string, number>();
  for (const [i, item] of items.entries()) {
    const text = canonicalText(item, allowance);
    const j = seen.get(text);
    if (j !== undefined) return { i, j };
    seen.set(text, i);
  }
  return undefined;
}

function canonicalText(value: unknown, allowance: Allowance): string {
  if (typeof value !== 'object' || value === null) {
    const text = JSON.stringify(value);
    allowance.spend(1 + text.length / 16);
    return text;
  }
  if (Array.isArray(value))
    return charged(`[${value.map((item) => canonicalText(item, allowance)).join(',')}]`, allowance);
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  allowance.spend(members.length * 4);
  const texts = members.map(
    ([name, member]) => `${JSON.stringify(name)}:${canonicalText(member, allowance)}`,
  );
  return charged(`{${texts.join(',')}}`, allowance);
}

/** Spends a text. A nested value is part of the text of each value around it. */
function charged(text: string, allowance: Allowance): string {
  allowance.spend(1 + text.length / 12);
  return text;
}
