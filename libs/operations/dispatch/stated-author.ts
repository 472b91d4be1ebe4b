import { escapePointerToken, isJsonObject, reject, type Rejection } from '#lib/kernel';
import type { Operation } from '../declare/operation.js';
import { refuse } from '../write-side/rejection-error.js';

/** The authors that an input names, by JSON pointer. */
type Stated = readonly (readonly [path: string, author: unknown])[];

/** An input without the members that name its author, and the authors that they name. */
interface StatedAuthors {
  readonly input: object;
  readonly authors: Stated;
}

const AUTHOR = 'by';

/**
 * The author of a call is its principal, and no body may name another one. The member `by` of a body, and of a person's answer in
 * it, is removed from the input and compared with the principal. In the query of a GET, and in a definition that is only checked,
 * it is a member as any other.
 */
export function statedAuthors({ kind, method, whole, answer }: Operation, input: object): StatedAuthors {
  const isOnlyRead = kind === 'query' && (method === 'GET' || whole !== undefined);
  if (isOnlyRead || !isJsonObject(input)) return { input, authors: [] };
  const body = whole === undefined ? taken(input, '') : { input, authors: [] };
  const inner = whole ?? answer;
  const value = inner === undefined ? undefined : (Reflect.get(body.input, inner) as unknown);
  if (inner === undefined || !isJsonObject(value)) return body;
  const within = taken(value, whole === undefined ? `/${escapePointerToken(inner)}` : '');
  if (within.authors.length === 0) return body;
  return { input: { ...body.input, [inner]: within.input }, authors: [...body.authors, ...within.authors] };
}

function taken(members: object, path: string): StatedAuthors {
  if (!Object.hasOwn(members, AUTHOR)) return { input: members, authors: [] };
  const { [AUTHOR]: author, ...input } = members as { readonly [AUTHOR]?: unknown };
  return { input, authors: [[`${path}/${AUTHOR}`, author]] };
}

/** @throws RejectionError if one of them is not the author */
export function checkAuthors(stated: Stated, author: string): void {
  const wrong = stated.find(([, named]) => named !== undefined && named !== author);
  if (wrong) refuse(notTheAuthor(wrong[0]));
}

/** @param path the member that names the author */
export function notTheAuthor(path: string): Rejection {
  const message = 'names another author than the caller';
  const text = {
    what: 'the request',
    why: `${path} ${message}`,
    fix: 'Leave it out: the author is the person whose token comes with the request, else operator',
  };
  return reject('refused', 'not-the-author', text, [{ path, message }]);
}
