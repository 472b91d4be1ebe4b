import { escapePointerToken, type Json, type JsonObject, jsonText } from '#lib/kernel';
import { limits } from './limits.js';

/** One difference of a value from a schema. It is stored in events, so it is short for all values and schemas. */
export type SchemaError = {
  /** A JSON pointer into the value, cut after 200 characters. */
  readonly path: string;
  /** The keyword that failed; `tooLargeToCheck` if the check was given up. */
  readonly keyword: string;
  /** The keyword's requirement, without lists of allowed values. Strings are cut after 200 characters. */
  readonly params: JsonObject;
};

/** A location in a value: its last token, and the location around it. Its text is made only for an error. */
export interface Path {
  readonly parent: Path | undefined;
  readonly token: string | number;
}

/** The first errors of one check, and the number of all of them. */
export class Errors {
  readonly first: SchemaError[] = [];
  count = 0;

  add(path: Path | undefined, keyword: string, params: JsonObject, asked?: unknown): void {
    this.count += 1;
    if (this.first.length < limits.errors) this.first.push(this.made(path, keyword, params, asked));
  }

  /** Removes the errors after the first `count`: those of a branch that failed, if another one fits. */
  backTo(count: number): void {
    this.count = count;
    this.first.length = Math.min(this.first.length, count);
  }

  /**
   * Keeps the errors of one branch of a keyword that no branch fits: the branch that takes values of this type and has the fewest errors. If there is
   * none, one error stays: for the types, if no branch takes this one, or for the keyword.
   * @param starts the counts before each branch, and after the last
   */
  keepMeant(path: Path | undefined, keyword: string, starts: readonly number[]): void {
    const [before = 0, ...ends] = starts;
    const branches = ends.map((end, index) => this.first.slice(starts[index], end));
    const here = this.made(path, keyword, {}).path;
    const isHere = ({ path, keyword: rule }: SchemaError) =>
      path === here && (rule === 'type' || rule === 'false schema');
    const meant = branches.filter((branch) => !branch.some(isHere));
    const fewest = Math.min(...meant.map(({ length }) => length));
    const [best = [], ...others] = meant.filter(({ length }) => length === fewest);
    const isSeen = (ends.at(-1) ?? before) <= limits.errors;
    this.backTo(before);
    const types = branches.flat().flatMap((error) => (isHere(error) ? (error.params['type'] ?? []) : []));
    if (isSeen && meant.length === 0 && types.length > 0)
      this.add(path, 'type', { type: [...new Set(types)] });
    else if (isSeen && others.length === 0 && best.length > 0) {
      this.first.push(...best);
      this.count += best.length;
    } else this.add(path, keyword, {});
  }

  protected made(path: Path | undefined, keyword: string, params: JsonObject, _asked?: unknown): SchemaError {
    return { path: cut(pointerOf(path)), keyword, params: shortened(params) };
  }
}

/** Errors for the author of a value, which are never stored: with whole paths, and with the values of an enum or the names of a closed object. */
export class WholeErrors extends Errors {
  protected override made(path: Path | undefined, keyword: string, params: JsonObject, asked?: unknown) {
    const allowedValues = keyword === 'additionalProperties' ? Object.keys(Object(asked)) : (asked as Json);
    const isListed = keyword === 'additionalProperties' || keyword === 'enum';
    return { path: pointerOf(path), keyword, params: { ...params, ...(isListed && { allowedValues }) } };
  }
}

function pointerOf(path: Path | undefined): string {
  const tokens: string[] = [];
  for (let at = path; at; at = at.parent) tokens.unshift(`/${escapePointerToken(String(at.token))}`);
  return tokens.join('');
}

function shortened(params: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, typeof value === 'string' ? cut(value) : value]),
  );
}

function cut(text: string): string {
  return text.length > limits.errorText ? `${text.slice(0, limits.errorText)}…` : text;
}

/** Errors as one line of text, for a model: each location, and the rule that it breaks. */
export function errorsText(errors: readonly SchemaError[]): string {
  return errors
    .map(({ path, keyword, params }) => `${path || '/'} ${keyword} ${jsonText(params)}`)
    .join('; ');
}
