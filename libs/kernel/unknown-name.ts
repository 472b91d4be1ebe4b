import { jsonText } from './json.js';

/** A longer name is not compared, because the time of a comparison is the product of the two lengths. */
const LONGEST = 64;
/** A name with more differences, or with more than half of it different, was meant as another name. */
const MOST_DIFFERENCES = 3;

/** The problem of an unknown member, with the known one that was probably meant. */
export function unknownProperty(name: string, known: Iterable<string>): string {
  const meant = nearestName(name, known);
  const hint = meant === undefined ? '' : `; did you mean ${jsonText(meant)}?`;
  return `is unknown: there is no property ${jsonText(name)} here${hint}`;
}

/** The known name that is nearest to a name, without regard to case; `undefined` if none is near. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > LONGEST) return undefined;
  let [nearest, fewest]: [string | undefined, number] = [undefined, MOST_DIFFERENCES + 1];
  for (const one of known) {
    if (Math.abs(name.length - one.length) >= fewest) continue;
    const differences = differencesOf(name.toLowerCase(), one.toLowerCase());
    if (differences >= fewest || differences * 2 > Math.max(name.length, one.length)) continue;
    [nearest, fewest] = [one, differences];
  }
  return nearest;
}

/** The number of letters to insert, remove, replace or swap with their neighbour that turns one text into the other (optimal string alignment). */
function differencesOf(one: string, other: string): number {
  let [before, row]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const replaced = (row[j - 1] ?? 0) + (isSame ? 0 : 1);
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity;
      next[j] = Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
    }
    [before, row] = [row, next];
  }
  return row[other.length] ?? 0;
}
