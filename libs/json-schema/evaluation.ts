import { type Allowance, AllowanceExceeded, type JsonObject } from '#lib/kernel';
import { type Applicator, APPLICATORS } from './applicators.js';
import { ASSERTIONS } from './assertions.js';
import { Errors } from './errors.js';
import { type Evaluator, type Subject, UnusableSchema } from './evaluator.js';
import { KEYWORDS, type SchemaObject } from './keywords.js';
import { limits } from './limits.js';
import { compilePattern, type Pattern } from './pattern.js';
import { patternWeight } from './pattern-weight.js';
import { locate, type Located, References } from './references.js';
import { Seen } from './seen.js';

interface Keyword {
  readonly name: string;
  readonly assertion: (typeof ASSERTIONS)[string] | undefined;
  readonly applicator: Applicator | undefined;
}

const MEANT: readonly Keyword[] = Object.keys(KEYWORDS)
  .map((name) => ({ name, assertion: ASSERTIONS[name], applicator: APPLICATORS[name] }))
  .filter(({ assertion, applicator }) => assertion ?? applicator);

/** One check of one value. It interprets the schema, so that every step is counted and only patterns are compiled. */
export class Evaluation implements Evaluator {
  private readonly references: References;
  private readonly patterns = new Map<string, Pattern>();
  private readonly keywords = new Map<SchemaObject, readonly Keyword[]>();
  private depth = 0;

  constructor(
    private readonly root: SchemaObject,
    readonly allowance: Allowance,
    readonly errors = new Errors(),
  ) {
    this.references = new References(root);
  }

  /** @throws AllowanceExceeded, UnusableSchema */
  check(value: unknown): boolean {
    return this.apply(locate(this.root, this.root), { value, path: undefined, seen: new Seen() });
  }

  apply({ schema, resource }: Located, subject: Subject): boolean {
    this.allowance.spend(1);
    if (typeof schema === 'boolean') return schema || this.fail(subject, 'false schema', {});
    if (this.depth === limits.evaluationDepth) throw new AllowanceExceeded('depth');
    this.depth += 1;
    const located = locate(schema, resource);
    let fits = true;
    for (const keyword of this.keywordsOf(schema)) fits = this.holds(keyword, located, subject) && fits;
    this.depth -= 1;
    return fits;
  }

  applyBranch(located: Located, subject: Subject): boolean {
    this.allowance.spend(1);
    const seen = new Seen();
    const fits = this.apply(located, { ...subject, seen });
    if (!fits) return false;
    this.allowance.spend(seen.size);
    subject.seen.addAll(seen);
    return true;
  }

  applyInside(located: Located, { value, path, seen }: Subject, token: string | number): boolean {
    this.allowance.spend(1);
    seen.add(token);
    const member = (value as { readonly [token: string | number]: unknown })[token];
    return this.apply(located, { value: member, path: { parent: path, token }, seen: new Seen() });
  }

  fail({ path }: Subject, keyword: string, params: JsonObject, asked?: unknown): false {
    this.errors.add(path, keyword, params, asked);
    return false;
  }

  target(ref: string, resource: SchemaObject): Located {
    const found = this.references.resolve(ref, resource);
    if (!found) throw new UnusableSchema();
    return found;
  }

  pattern(source: string): Pattern {
    const known = this.patterns.get(source);
    if (known) return known;
    this.allowance.spend(patternWeight(source) * 5);
    const compiled = compilePattern(source);
    if ('refused' in compiled) throw new UnusableSchema();
    this.patterns.set(source, compiled);
    return compiled;
  }

  private holds(
    { name, assertion, applicator }: Keyword,
    located: Located<SchemaObject>,
    subject: Subject,
  ): boolean {
    this.allowance.spend(1);
    if (!assertion) return applicator?.(located, subject, this) ?? true;
    const { schema } = located;
    const params = assertion(schema[name] as never, subject.value as never, this, schema);
    if (params === undefined) return true;
    this.errors.add(subject.path, name, params, schema[name]);
    return false;
  }

  private keywordsOf(schema: SchemaObject): readonly Keyword[] {
    const known = this.keywords.get(schema);
    if (known) return known;
    this.allowance.spend(MEANT.length);
    const meant = MEANT.filter(({ name }) => Object.hasOwn(schema, name));
    this.keywords.set(schema, meant);
    return meant;
  }
}
