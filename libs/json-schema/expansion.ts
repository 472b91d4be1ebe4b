import { KEYWORDS, type SchemaObject } from './keywords.js';
import { limits } from './limits.js';
import { locate, type Located, type References } from './references.js';
import { isSchema, subschemasOf } from './subschemas.js';

/**
 * The number of subschemas that one value meets at one location of a schema, with references followed; `Infinity` if a schema refers to itself for
 * the same value. References that double in 30 steps are a billion.
 */
export class Expansion {
  private readonly sizes = new Map<SchemaObject, number>();
  private readonly open = new Set<SchemaObject>();

  constructor(private readonly references: References) {}

  of({ schema, resource }: Located): number {
    if (typeof schema === 'boolean') return 1;
    const known = this.sizes.get(schema);
    if (known !== undefined) return known;
    if (this.open.has(schema) || this.open.size > limits.schemaDepth) return Infinity;
    this.open.add(schema);
    const size = this.here(locate(schema, resource)).reduce((sum, [, one]) => sum + this.of(one), 1);
    this.open.delete(schema);
    this.sizes.set(schema, size);
    return size;
  }

  /** The pointer, within a schema, of the subschema or reference that expands most. */
  largest(located: Located<SchemaObject>): string {
    const [first] = this.here(located).toSorted(([, a], [, b]) => this.of(b) - this.of(a) || 0);
    return first?.[0] ?? '';
  }

  /** The subschemas that apply to the same value, by their pointers. */
  private here({ schema, resource }: Located<SchemaObject>): [string, Located][] {
    const ref = schema['$ref'];
    const target = typeof ref === 'string' ? this.references.resolve(ref, resource) : undefined;
    const applied = Object.entries(schema).flatMap(([keyword, value]) =>
      KEYWORDS[keyword]?.place === 'here'
        ? subschemasOf(keyword, value).map(([pointer, one]) => [`/${keyword}${pointer}`, one] as const)
        : [],
    );
    const subschemas = applied.flatMap(([pointer, one]): [string, Located][] =>
      isSchema(one) ? [[pointer, { schema: one, resource }]] : [],
    );
    return target ? [['/$ref', target], ...subschemas] : subschemas;
  }
}
