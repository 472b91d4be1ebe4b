/** Text from models and people on one line of a terminal: control characters (escape sequences too) become blanks, long text is cut. */
export function oneLine(text: string, longest = 100): string {
  const flat = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  const characters = Array.from(flat);
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : flat;
}

/** Any JSON value, as `oneLine`. */
export function jsonLine(value: unknown, longest?: number): string {
  return oneLine(JSON.stringify(value) ?? 'nothing', longest);
}
