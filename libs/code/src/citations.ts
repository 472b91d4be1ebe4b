import { escapePointerToken, isJsonObject, type Json } from '#lib/kernel';

/** A source, and the tag that stands for it in a text. */
export interface Source {
  /** From 0, in the order of registration. */
  readonly id: number;
  /** `【id】`; a text may name several sources in one tag: `【0,2】`. */
  readonly tag: string;
}

/** A tag that stood in a text. */
export type Citation = {
  /** Where it stood, or what replaces it stands, in the text without tags. */
  readonly offset: number;
  /** Of what replaces it; 0 where nothing does. */
  readonly length: number;
  /** As it stood in the text. */
  readonly tag: string;
  /** Without a `source` where none has this id. */
  readonly sources: readonly { readonly id: number; readonly source?: Json }[];
};

/** A tag that stood in a text of a value. */
export type CitationAt = Citation & {
  /** JSON pointer of the text. */
  readonly path: string;
};

/** Of one message or value, by a program: ids in its tags, and characters of tags and their pointers. */
const MOST_CITED = 1_000;
const MOST_CHARACTERS = 65_536;
const TAG = /【\s*\d+(?:[^\d【】]+\d+)*\s*】/g;

/** The text without its tags, and where they stood. */
export function extractCitations(
  text: string,
  sources: readonly Json[],
  replace: (citation: Pick<Citation, 'tag' | 'sources'>) => string = () => '',
): { readonly text: string; readonly citations: readonly Citation[] } {
  const citations: Citation[] = [];
  let cleaned = '';
  let from = 0;
  for (const { 0: tag, index } of text.matchAll(TAG)) {
    cleaned += text.slice(from, index);
    const found = {
      tag,
      sources: (tag.match(/\d+/g) ?? []).map((digits) => sourceOf(Number(digits), sources)),
    };
    const replacement = replace(found);
    citations.push({ offset: cleaned.length, length: replacement.length, ...found });
    cleaned += replacement;
    from = index + tag.length;
  }
  return { text: cleaned + text.slice(from), citations };
}

/** The inverse of `extractCitations`, for any number of tags. */
export function reAddCitations(text: string, citations: readonly Citation[]): string {
  let from = 0;
  const parts = citations.map(({ offset, length, tag }) => {
    const part = text.slice(from, offset) + tag;
    from = offset + length;
    return part;
  });
  return parts.join('') + text.slice(from);
}

/** A value whose texts have no tags, and where they stood. */
export function citationsIn(
  value: Json,
  sources: readonly Json[] = [],
  path = '',
): { readonly value: Json; readonly citations: readonly CitationAt[] } {
  if (typeof value === 'string') {
    const { text, citations } = extractCitations(value, sources);
    return { value: text, citations: citations.map((one) => ({ path, ...one })) };
  }
  if (typeof value !== 'object' || value === null) return { value, citations: [] };
  const members = Object.entries(value).map(([name, member]) => {
    const found = citationsIn(member as Json, sources, `${path}/${escapePointerToken(name)}`);
    return { name, ...found };
  });
  const cleaned: Json = isJsonObject(value)
    ? Object.fromEntries(members.map(({ name, value: member }) => [name, member]))
    : members.map(({ value: member }) => member);
  return { value: cleaned, citations: members.flatMap(({ citations }) => citations) };
}

/** Why the citations in a value are not listed: the list would be many times longer than the value. */
export function citationsProblem(value: Json): string | undefined {
  let [ids, characters] = [0, 0];
  for (const { path, text } of textsIn(value)) {
    for (const [tag] of text.matchAll(TAG)) {
      ids += tag.match(/\d+/g)?.length ?? 0;
      characters += path.length + tag.length;
      if (ids > MOST_CITED) return `cites more than ${MOST_CITED} times.`;
      if (characters > MOST_CHARACTERS)
        return `has more than ${MOST_CHARACTERS} characters of tags and paths to them.`;
    }
  }
  return undefined;
}

function* textsIn(value: Json, path = ''): Generator<{ readonly path: string; readonly text: string }> {
  if (typeof value === 'string') yield { path, text: value };
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value))
    yield* textsIn(member as Json, `${path}/${escapePointerToken(name)}`);
}

/** Sources that texts cite by tags. */
export class Citations {
  readonly #sources: Json[] = [];

  registerSource(source: Json): Source {
    const id = this.#sources.push(source) - 1;
    return { id, tag: `【${id}】` };
  }

  /** @param replace gives what stands in the place of a tag; default: nothing */
  extract(text: string, replace?: (citation: Pick<Citation, 'tag' | 'sources'>) => string) {
    return extractCitations(text, this.#sources, replace);
  }

  /** Of all texts of a value. */
  extractFrom(value: Json) {
    return citationsIn(value, this.#sources);
  }

  static strip(text: string): string {
    return extractCitations(text, []).text;
  }

  static reAdd(text: string, citations: readonly Citation[]): string {
    return reAddCitations(text, citations);
  }
}

function sourceOf(id: number, sources: readonly Json[]) {
  const source = sources[id];
  return source === undefined ? { id } : { id, source };
}
