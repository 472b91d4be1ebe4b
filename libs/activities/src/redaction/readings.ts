/** One decoding of a text: each escape is replaced by its character. Pure, in time linear in the text. */
export interface Reading {
  /** Global. Tokens do not overlap, and none is longer than a few dozen characters. */
  readonly tokens: RegExp;
  readonly read: (token: string) => string;
}

/** From `start`, before `end`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export function readAs(text: string, { tokens, read }: Reading): string {
  return text.replaceAll(tokens, read);
}

/** Maps ranges of the read text to the original text. */
export function sourceRanges(
  text: string,
  { tokens, read }: Reading,
  ranges: readonly Range[],
): readonly Range[] {
  if (ranges.length === 0) return [];
  const places: { readonly from: number; readonly to: number; readonly source: Range }[] = [];
  let surplus = 0;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    const from = index - surplus;
    const to = from + read(token).length;
    places.push({ from, to, source: { start: index, end: index + token.length } });
    surplus += token.length - (to - from);
  }
  const sourceOf = (at: number): Range => {
    const place = places[lastAtMost(at, places.length, (n) => places[n]?.from ?? 0)];
    if (place && at < place.to) return place.source;
    const start = place ? place.source.end + at - place.to : at;
    return { start, end: start + 1 };
  };
  return ranges.map(({ start, end }) => ({ start: sourceOf(start).start, end: sourceOf(end - 1).end }));
}

/** The last index whose value, ascending with the index, is at most `limit`; -1 where none is. */
function lastAtMost(limit: number, count: number, valueAt: (index: number) => number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (valueAt(middle) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
