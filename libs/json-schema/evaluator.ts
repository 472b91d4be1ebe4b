import type { Allowance, JsonObject } from '#lib/kernel';
import type { Errors, Path } from './errors.js';
import type { SchemaObject } from './keywords.js';
import type { Pattern } from './pattern.js';
import type { Located } from './references.js';
import type { Seen } from './seen.js';

/** A value at a location, as a schema gets it. */
export interface Subject {
  readonly value: unknown;
  readonly path: Path | undefined;
  /** The members and items that keywords of this schema have evaluated, for `unevaluatedProperties` and `unevaluatedItems`. */
  readonly seen: Seen;
}

/** The running check, as its keywords see it. */
export interface Evaluator {
  readonly allowance: Allowance;
  readonly errors: Errors;
  /** Whether the subject fits. Adds errors. */
  apply(located: Located, subject: Subject): boolean;
  /** `apply` for a branch: the members that it evaluated count only if the subject fits. */
  applyBranch(located: Located, subject: Subject): boolean;
  /** `apply` for a member or an item of the subject, which then counts as evaluated. */
  applyInside(located: Located, subject: Subject, token: string | number): boolean;
  /** Adds an error; always false. */
  fail(subject: Subject, keyword: string, params: JsonObject, asked?: unknown): false;
  /** The schema that a reference names. @throws UnusableSchema */
  target(ref: string, resource: SchemaObject): Located;
  /** @throws UnusableSchema */
  pattern(source: string): Pattern;
}

/** A schema in which `inspectSchema` finds problems. This error never leaves this lib. */
export class UnusableSchema extends Error {}
