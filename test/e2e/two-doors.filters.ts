export type Item = Readonly<Record<string, unknown>>;

/** Filters of a list, with what the views of the items that they select say. */
export type Filters<Of> = readonly (readonly [query: object, fits: (item: Of) => boolean])[];

export const itemsOf = ({ items }: { readonly items: readonly object[] }): readonly Item[] =>
  items.map((item) => ({ ...item }));

export function without(item: object, ...names: readonly string[]): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));
}

/** The members that another object has, too. */
export function membersIn(item: object, other: object): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => name in other));
}

export function valuesOf(items: readonly Item[], name: string): readonly unknown[] {
  return [...new Set(items.map((item) => item[name]))].filter((value) => value !== undefined);
}

/** For each value that these members have. */
export function equal(items: readonly Item[], ...names: readonly string[]): Filters<Item> {
  return names.flatMap((name) =>
    valuesOf(items, name).map((value) => [{ [name]: value }, (item: Item) => item[name] === value] as const),
  );
}

/** For the key, the subject, each tag and the origin that these items have. */
export function labelled(items: readonly Item[]): Filters<Item> {
  const tags = new Set(items.flatMap(tagsOf));
  const parents = new Set(items.flatMap((item) => parentOf(item) ?? []));
  return [
    ...equal(items, 'key', 'subject'),
    ...[...tags].map((tag) => [{ tag }, (item: Item) => tagsOf(item).includes(tag)] as const),
    ...[...parents].map(
      (forkedFrom) => [{ forkedFrom }, (item: Item) => parentOf(item) === forkedFrom] as const,
    ),
  ];
}

function tagsOf({ tags = {} }: Item): readonly string[] {
  return Object.entries(tags as object).map(([name, value]) => `${name}:${value}`);
}

function parentOf({ forkedFrom = {} }: Item): unknown {
  const { sessionId, runId, conversationId } = forkedFrom as Item;
  return sessionId ?? runId ?? conversationId;
}
