import { isJsonObject, type Json, type JsonObject, jsonText } from '#lib/kernel';

type Table = readonly (readonly [string, ...Json[]])[];

const MOST_OF_ONE = 262_144;
const MOST_OF_ALL = 1_048_576;
const PREVIEW = 2_000;
const DEEPEST = 32;

/**
 * Variables as they are shown: dates, maps and the like as JSON, a value inside itself as `[circular]`. One over 256 KiB, or over
 * 1 MiB together with those before it, as `{ truncated, bytes, preview }`. What the next program gets is whole.
 * @param encoded as a slice of the sandbox gives them
 */
export function shownVariables(encoded: Json | undefined): JsonObject {
  if (!isJsonObject(encoded)) return {};
  const { names, table } = encoded as {
    readonly names?: readonly [string, number][];
    readonly table?: Table;
  };
  let left = MOST_OF_ALL;
  const shown = (names ?? []).map(([name, place]) => {
    const value = valueAt(table ?? [], place, []);
    const text = jsonText(value);
    const bytes = new TextEncoder().encode(text).length;
    if (bytes > Math.min(MOST_OF_ONE, left))
      return [name, { truncated: true, bytes, preview: text.slice(0, PREVIEW) }] as const;
    left -= bytes;
    return [name, value] as const;
  });
  return Object.fromEntries(shown);
}

function valueAt(table: Table, place: number, above: readonly number[]): Json {
  if (above.includes(place)) return '[circular]';
  if (above.length > DEEPEST) return '[deeper]';
  const [kind = 'undefined', first = null, second = null] = table[place] ?? [];
  const inside = [...above, place];
  const at = (one: Json) => valueAt(table, Number(one), inside);
  switch (kind) {
    case 'json':
      return first;
    case 'number':
    case 'bigint':
      return textOf(first);
    case 'date':
      return first === null ? 'Invalid Date' : new Date(Number(first)).toISOString();
    case 'regexp':
      return `/${textOf(first)}/${textOf(second)}`;
    case 'error':
      return `${textOf(first)}: ${textOf(second)}`;
    case 'map':
      return (first as readonly [Json, Json][]).map(([key, value]) => [at(key), at(value)]);
    case 'set':
      return (first as readonly Json[]).map(at);
    case 'typed':
      return (second as readonly Json[]).map(at);
    case 'array':
      return arrayOf(second as readonly [string, Json][], at);
    case 'object':
      return Object.fromEntries((first as readonly [string, Json][]).map(([key, one]) => [key, at(one)]));
    default:
      return null;
  }
}

/** Without its holes: one far end would make it any length. */
function arrayOf(members: readonly [string, Json][], at: (place: Json) => Json): readonly Json[] {
  return members.map(([, place]) => at(place));
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : jsonText(value);
}
