import {
  escapePointerToken,
  isDeeperThan,
  isJsonObject,
  type JsonObject,
  jsonText,
  ownMember,
  type Problem,
} from '#lib/kernel';
import { Allowance } from './allowance.js';
import { Expansion } from './expansion.js';
import { formProblem } from './keyword-forms.js';
import { KEYWORDS, type SchemaObject } from './keywords.js';
import { limits } from './limits.js';
import { locate, type Located, References } from './references.js';
import { isSchema, subschemasOf } from './subschemas.js';

const DRAFT_7 = 'http://json-schema.org/draft-07/schema';
const DIALECTS = ['https://json-schema.org/draft/2020-12/schema', DRAFT_7];
/** Keywords whose target depends on the way by which a value came to them. */
const UNSUPPORTED = new Set(['$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$recursiveAnchor']);

interface Options {
  /** Shared by the schemas of one definition. */
  readonly allowance?: Allowance;
  /** `false` leaves patterns out, for a schema that was inspected when it was defined. */
  readonly patterns?: boolean;
}

/** Why a schema cannot check anything: each problem with a pointer into the schema. Takes time linear in its size, and never throws. */
export function inspectSchema(schema: JsonObject | boolean, options: Options = {}): readonly Problem[] {
  if (typeof schema === 'boolean') return [];
  if (isDeeperThan(schema, 2 * limits.schemaDepth)) return [tooDeep('')];
  const bytes = Buffer.byteLength(jsonText(schema));
  if (bytes > limits.schemaBytes)
    return [{ path: '', message: `has ${bytes} bytes: the limit is ${limits.schemaBytes}` }];
  const dialect = ownMember(schema, '$schema') ?? DIALECTS[0];
  if (typeof dialect !== 'string' || !DIALECTS.includes(dialect.replace(/#$/, '')))
    return [{ path: '/$schema', message: `must be one of ${DIALECTS.join(', ')}` }];
  return new Inspection(schema, dialect.startsWith(DRAFT_7), options).problems();
}

interface Place extends Located<SchemaObject> {
  readonly path: string;
  readonly depth: number;
}

/** A walk over a schema, its subschemas, and what its references lead to. */
class Inspection {
  private readonly found: Problem[] = [];
  private readonly references: References;
  private readonly expansion: Expansion;
  private readonly visited = new Set<SchemaObject>();
  private readonly open: Place[];
  /** Looked at last: most of them are subschemas as well, and problems in these are reported where they stand. */
  private readonly targets: Place[] = [];
  private expandsTooFar = false;
  private readonly allowance: Allowance;

  constructor(
    root: SchemaObject,
    private readonly draft7: boolean,
    private readonly options: Options,
  ) {
    this.references = new References(root);
    this.expansion = new Expansion(this.references);
    this.allowance = options.allowance ?? new Allowance();
    this.open = [{ ...locate(root, root), path: '', depth: 0 }];
  }

  problems(): readonly Problem[] {
    for (let place = this.next(); place; place = this.next()) {
      if (this.visited.has(place.schema)) continue;
      this.visited.add(place.schema);
      if (!this.allowance.takeKeywords(Object.keys(place.schema).length)) {
        this.add(place.path, `is one keyword too many: a definition's schemas may have ${limits.keywords}`);
        return this.found;
      }
      this.visit(place);
      if (this.found.length >= limits.problems) return this.found;
    }
    return this.found;
  }

  private next(): Place | undefined {
    return this.open.pop() ?? this.targets.pop();
  }

  private visit(place: Place): void {
    if (place.depth > limits.schemaDepth) {
      this.found.push(tooDeep(place.path));
      return;
    }
    const before = this.found.length;
    const inner: Place[] = [];
    for (const [keyword, value] of Object.entries(place.schema)) this.keyword(keyword, value, place, inner);
    this.open.push(...inner.toReversed());
    if (this.found.length === before) this.expand(place);
  }

  private keyword(keyword: string, value: unknown, place: Place, inner: Place[]): void {
    const path = `${place.path}/${escapePointerToken(keyword)}`;
    if (UNSUPPORTED.has(keyword)) this.add(path, 'is not supported: name the schema by $ref');
    const form = ownMember(KEYWORDS, keyword)?.form;
    if (form === undefined || value === undefined) return;
    const problem =
      form === 'schemaOrSchemas' && !this.draft7 ? formProblem('schema', value) : formProblem(form, value);
    if (problem !== undefined) {
      this.add(path, problem);
      return;
    }
    if (form === 'pattern') this.pattern(value as string, path);
    if (keyword === '$ref') this.reference(value as string, place, path);
    for (const [pointer, subschema] of subschemasOf(keyword, value)) {
      if (form === 'schemasByPattern')
        this.pattern(pointer.slice(1).replaceAll('~1', '/').replaceAll('~0', '~'), path + pointer);
      if (!isSchema(subschema)) this.add(path + pointer, 'must be a schema: an object or a boolean');
      else if (isJsonObject(subschema))
        inner.push({ ...locate(subschema, place.resource), path: path + pointer, depth: place.depth + 1 });
    }
  }

  private pattern(source: string, path: string): void {
    const problem = this.options.patterns === false ? undefined : this.allowance.patternProblem(source);
    if (problem !== undefined) this.add(path, problem);
  }

  private reference(ref: string, { resource, depth }: Place, path: string): void {
    const target = this.references.resolve(ref, resource);
    if (!target)
      this.add(path, `leads to no schema of this document: ${jsonText(ref.slice(0, limits.errorText))}`);
    else if (isJsonObject(target.schema))
      this.targets.push({ ...(target as Located<SchemaObject>), path, depth });
  }

  /** Reported once, at the outermost schema: all that lead to it expand too far as well. */
  private expand(place: Place): void {
    if (this.expandsTooFar || this.expansion.of(place) <= limits.expansion) return;
    this.expandsTooFar = true;
    this.add(
      `${place.path}${this.expansion.largest(place)}`,
      `applies more than ${limits.expansion} schemas to one value, or refers to itself without end`,
    );
  }

  private add(path: string, message: string): void {
    this.found.push({ path, message });
  }
}

function tooDeep(path: string): Problem {
  return { path, message: `is nested more than ${limits.schemaDepth} levels deep` };
}
