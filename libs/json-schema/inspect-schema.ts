import {
  below,
  escapePointerToken,
  isDeeperThan,
  isJsonObject,
  type JsonObject,
  jsonText,
  ownMember,
  type Problem,
} from '#lib/kernel';
import { DefinitionSchemas } from './definition-schemas.js';
import { Expansion } from './expansion.js';
import { formProblem } from './keyword-forms.js';
import { KEYWORDS, type SchemaObject } from './keywords.js';
import { limits } from './limits.js';
import { locate, type Located, References } from './references.js';
import { isSchema, subschemasOf } from './subschemas.js';

const DRAFT_7 = 'http://json-schema.org/draft-07/schema';
const DIALECTS = ['https://json-schema.org/draft/2020-12/schema', DRAFT_7];
/** Keywords whose target depends on the path by which a value came to them. */
const UNSUPPORTED = new Set(['$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$recursiveAnchor']);

interface Options {
  /** The other schemas of the same definition. */
  readonly beside?: DefinitionSchemas;
  /** `false` skips patterns, for a schema that was inspected when it was defined. */
  readonly patterns?: boolean;
}

/** The problems that make a schema unusable, each with a pointer into the schema. Takes time linear in its size, and never throws. */
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

/**
 * The one check of schemas from outside, in definitions and in inputs of runs. It gives their problems, at their paths there. All of them together
 * have the limits of one definition.
 */
export function problemsOfSchemas(
  schemas: Iterable<readonly [path: string, schema: unknown]>,
  beside = new DefinitionSchemas(),
): readonly Problem[] {
  return [...schemas].flatMap(([path, schema]) => {
    if (schema === undefined) return [];
    if (typeof schema !== 'boolean' && !isJsonObject(schema))
      return [{ path, message: 'must be a schema: an object or a boolean' }];
    return below(path, inspectSchema(schema, { beside }));
  });
}

interface OpenSchema extends Located<SchemaObject> {
  readonly path: string;
  readonly depth: number;
}

/** A walk over a schema, its subschemas, and the targets of its references. */
class Inspection {
  private readonly found: Problem[] = [];
  private readonly references: References;
  private readonly expansion: Expansion;
  private readonly visited = new Set<SchemaObject>();
  private readonly open: OpenSchema[];
  /** Visited last, because most of them are also subschemas, whose problems are reported at their own location. */
  private readonly targets: OpenSchema[] = [];
  private expandsTooFar = false;
  private readonly definition: DefinitionSchemas;

  constructor(
    root: SchemaObject,
    private readonly draft7: boolean,
    private readonly options: Options,
  ) {
    this.references = new References(root);
    this.expansion = new Expansion(this.references);
    this.definition = options.beside ?? new DefinitionSchemas();
    this.open = [{ ...locate(root, root), path: '', depth: 0 }];
  }

  problems(): readonly Problem[] {
    for (let at = this.next(); at; at = this.next()) {
      if (this.visited.has(at.schema)) continue;
      this.visited.add(at.schema);
      if (!this.definition.takeKeywords(Object.keys(at.schema).length)) {
        this.add(at.path, `is one keyword too many: a definition's schemas may have ${limits.keywords}`);
        return this.found;
      }
      this.visit(at);
      if (this.found.length >= limits.problems) return this.found;
    }
    return this.found;
  }

  private next(): OpenSchema | undefined {
    return this.open.pop() ?? this.targets.pop();
  }

  private visit(at: OpenSchema): void {
    if (at.depth > limits.schemaDepth) {
      this.found.push(tooDeep(at.path));
      return;
    }
    const before = this.found.length;
    const inner: OpenSchema[] = [];
    for (const [keyword, value] of Object.entries(at.schema)) this.keyword(keyword, value, at, inner);
    this.open.push(...inner.toReversed());
    if (this.found.length === before) this.expand(at);
  }

  private keyword(keyword: string, value: unknown, at: OpenSchema, inner: OpenSchema[]): void {
    const path = `${at.path}/${escapePointerToken(keyword)}`;
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
    if (keyword === '$ref') this.reference(value as string, at, path);
    for (const [pointer, subschema] of subschemasOf(keyword, value)) {
      if (form === 'schemasByPattern')
        this.pattern(pointer.slice(1).replaceAll('~1', '/').replaceAll('~0', '~'), path + pointer);
      if (!isSchema(subschema)) this.add(path + pointer, 'must be a schema: an object or a boolean');
      else if (isJsonObject(subschema))
        inner.push({ ...locate(subschema, at.resource), path: path + pointer, depth: at.depth + 1 });
    }
  }

  private pattern(source: string, path: string): void {
    const problem = this.options.patterns === false ? undefined : this.definition.patternProblem(source);
    if (problem !== undefined) this.add(path, problem);
  }

  private reference(ref: string, { resource, depth }: OpenSchema, path: string): void {
    const target = this.references.resolve(ref, resource);
    if (!target)
      this.add(path, `leads to no schema of this document: ${jsonText(ref.slice(0, limits.errorText))}`);
    else if (isJsonObject(target.schema))
      this.targets.push({ ...(target as Located<SchemaObject>), path, depth });
  }

  /** Reported once, at the outermost schema, because all schemas that lead to it expand too far as well. */
  private expand(at: OpenSchema): void {
    if (this.expandsTooFar || this.expansion.of(at) <= limits.expansion) return;
    this.expandsTooFar = true;
    this.add(
      `${at.path}${this.expansion.largest(at)}`,
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
