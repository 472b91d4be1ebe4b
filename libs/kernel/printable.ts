/**
 * Characters by which a text controls a terminal or looks like another text: controls, with which escape sequences begin, invisible formats, such as
 * those of direction, and separators of lines. Joiners within words and emoji stay.
 */
const UNPRINTABLE = /(?![\n\t\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text from outside in a form that a terminal may show. Line ends and tabs stay. @param instead replaces each other control */
export function printable(text: string, instead = '\u{FFFD}'): string {
  return text.replaceAll('\r\n', '\n').replaceAll(UNPRINTABLE, instead);
}

/** A JSON text with the same value, in which these characters are escaped. */
export function printableJson(json: string): string {
  return json.replaceAll(UNPRINTABLE, (character) =>
    Array.from({ length: character.length }, (_, at) => escaped(character.charCodeAt(at))).join(''),
  );
}

function escaped(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}
