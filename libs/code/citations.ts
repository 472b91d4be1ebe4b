import { escapePointerToken, isJsonObject, type Json, jsonText } from '#lib/kernel';

/** A source, and the tag that cites it in a text. */
export interface Source {
  /** From 0, in the order of registration. */
  readonly id: number;
  /** `【id】`. A text may name several sources in one tag: `【0,2】`. */
  readonly tag: string;
}

/** One citation of a source in a text. A tag of several ids is as many citations. */
export type Citation = {
  readonly id: number;
  /** Absent if no source has this id. */
  readonly source?: Json;
  /** The offset of the tag, or of its replacement, in the text without tags. */
  readonly offset: number;
  /** The length of the text that replaces the tag; absent if it has no replacement. */
  readonly length?: number;
  /** The tag as the text had it. */
  readonly tag: string;
};

/** A citation in a text of a value. */
export type CitationAt = Citation & {
  /** The JSON pointer of the text. */
  readonly path: string;
};

/** The most citations in one message or value of a program. */
const MOST_CITED = 1_000;
/** The most characters of the tags of these citations, and of the pointers to their texts. */
const MOST_CHARACTERS = 65_536;
/** The most characters of the sources of one value. Each source counts as often as the value cites it. */
const MOST_OF_SOURCES = 4_194_304;
/**
 * An id has at most nine digits: brackets with a longer number are text. Only single characters repeat, because a repeated group exhausts the stack
 * at a few megabytes.
 */
const TAG = /【\s*(?=\d)(?![^【】]*\d{10})[^【】]*\d\s*】/g;

/** The text without its tags, and its citations without sources. @param replace gives the replacement of a tag */
export function extractCitations(
  text: string,
  replace: (ids: readonly number[], tag: string) => string = () => '',
): { readonly text: string; readonly citations: readonly Citation[] } {
  const citations: Citation[] = [];
  let cleaned = '';
  let from = 0;
  for (const { 0: tag, index } of text.matchAll(TAG)) {
    cleaned += text.slice(from, index);
    const ids = idsIn(tag);
    const replacement = replace(ids, tag);
    const { length } = replacement;
    const place = { offset: cleaned.length, ...(length > 0 && { length }), tag };
    for (const id of ids) citations.push({ id, ...place });
    cleaned += replacement;
    from = index + tag.length;
  }
  return { text: cleaned + text.slice(from), citations };
}

/** A value whose texts have no tags, and its citations without sources. */
export function citationsIn(
  value: Json,
  path = '',
): { readonly value: Json; readonly citations: readonly CitationAt[] } {
  if (typeof value === 'string') {
    const { text, citations } = extractCitations(value);
    return { value: text, citations: citations.map((one) => ({ path, ...one })) };
  }
  if (typeof value !== 'object' || value === null) return { value, citations: [] };
  const members = Object.entries(value).map(([name, member]) => {
    const found = citationsIn(member as Json, `${path}/${escapePointerToken(name)}`);
    return { name, ...found };
  });
  const cleaned: Json = isJsonObject(value)
    ? Object.fromEntries(members.map(({ name, value: member }) => [name, member]))
    : members.map(({ value: member }) => member);
  return { value: cleaned, citations: members.flatMap(({ citations }) => citations) };
}

/** The citations, each with the source of its id. */
export function withSources<Cited extends Citation>(
  citations: readonly Cited[],
  sources: readonly Json[],
): readonly Cited[] {
  return citations.map((one) => {
    const source = sources[one.id];
    return source === undefined ? one : { ...one, source };
  });
}

/**
 * The reason why the citations in a value are not listed: the list would be many times longer than the value.
 * @param sources of a list that has them
 */
export function citationsProblem(value: Json, sources: readonly Json[] = []): string | undefined {
  const lengths = new Map<number, number>();
  let [cited, ofTags, ofSources] = [0, 0, 0];
  for (const { path, tag, id } of citedIn(value)) {
    const length = lengths.get(id) ?? jsonText(sources[id] ?? null).length;
    lengths.set(id, length);
    cited += 1;
    ofTags += path.length + tag.length;
    ofSources += length;
    if (cited > MOST_CITED) return `cites more than ${MOST_CITED} times.`;
    if (ofTags > MOST_CHARACTERS)
      return `has more than ${MOST_CHARACTERS} characters of tags and paths to them.`;
    if (ofSources > MOST_OF_SOURCES)
      return `cites sources of more than ${MOST_OF_SOURCES} characters in all.`;
  }
  return undefined;
}

function* citedIn(value: Json, path = ''): Generator<Pick<CitationAt, 'path' | 'tag' | 'id'>> {
  if (typeof value === 'string')
    for (const [tag] of value.matchAll(TAG)) for (const id of idsIn(tag)) yield { path, tag, id };
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value))
      yield* citedIn(member as Json, `${path}/${escapePointerToken(name)}`);
}

/** Sources that texts cite by tags. */
export class Citations {
  readonly #sources: Json[] = [];

  registerSource(source: Json): Source {
    const id = this.#sources.push(source) - 1;
    return { id, tag: tagOf(id) };
  }

  /** @param replace gives the replacement of a tag; default: an empty text */
  extract(text: string, replace?: (ids: readonly number[], tag: string) => string) {
    const found = extractCitations(text, replace);
    return { ...found, citations: withSources(found.citations, this.#sources) };
  }

  /** Takes the tags out of all texts of a value. */
  extractFrom(value: Json) {
    const found = citationsIn(value);
    return { ...found, citations: withSources(found.citations, this.#sources) };
  }

  static strip(text: string): string {
    return extractCitations(text).text;
  }

  /** The inverse of `extract`, for any number of tags. A tag comes back whole if one of its citations is given. */
  static reAdd(text: string, citations: readonly Citation[]): string {
    let whole = '';
    let from = 0;
    for (const { offset, length = 0, tag } of tagsOf(citations)) {
      whole += text.slice(from, offset) + tag;
      from = offset + length;
    }
    return whole + text.slice(from);
  }
}

/** The first citation of each tag. The citations of one tag follow each other, in the order of its ids. */
function tagsOf(citations: readonly Citation[]): readonly Citation[] {
  let last: Citation | undefined;
  let later: readonly number[] = [];
  return citations.filter((one) => {
    const isSameTag = last?.tag === one.tag && last.offset === one.offset && later.includes(one.id);
    last = one;
    const ids = isSameTag ? later : idsIn(one.tag);
    later = ids.slice(ids.indexOf(one.id) + 1);
    return !isSameTag;
  });
}

export function tagOf(id: number): string {
  return `【${id}】`;
}

function idsIn(tag: string): readonly number[] {
  return (tag.match(/\d+/g) ?? []).map(Number);
}
