import { targetConstructorToSchema } from 'class-validator-jsonschema';
import type { Answer, View } from '../declare/answers.js';
import { schemasOf } from '../declare/definition.js';
import { extendedSchema, refTo, viewsReferredBy } from '../declare/fields.js';
import type { Operation } from '../declare/operation.js';

/** A JSON Schema (2020-12), as OpenAPI 3.1, MCP and the client read it. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** A JSON Schema of an object. */
export interface ObjectSchema extends JsonSchema {
  readonly type: 'object';
  readonly properties: { readonly [name: string]: JsonSchema };
  readonly required: readonly string[];
}

const CONVERTERS = {
  isTime: { type: 'string', format: 'date-time' },
  isMoment: { type: 'string' },
  // Beside `IsInt`, whose type counts.
  min: (rule: { constraints: number[] }) => ({ minimum: rule.constraints[0] }),
  max: ({ constraints: [max = 0] }: { constraints: number[] }) =>
    max === Number.MAX_SAFE_INTEGER ? {} : { maximum: max },
  isObject: { type: 'object' },
  isAnyJson: {},
};

/** The fields of an operation, wherever they come from. */
export function inputSchema({ type }: Operation): ObjectSchema {
  return { ...viewSchema(type), additionalProperties: false };
}

const shapes = new WeakMap<View, ObjectSchema>();

/** The shape that the decorators of a class describe. */
export function viewSchema(view: View): ObjectSchema {
  const shape = shapes.get(view) ?? shapeOf(view);
  shapes.set(view, shape);
  return shape;
}

function shapeOf(view: View): ObjectSchema {
  const options = { additionalConverters: CONVERTERS } as object;
  const { properties = {}, required = [] } = targetConstructorToSchema(view, options);
  const members = Object.entries(properties as ObjectSchema['properties']);
  const extended = members.map(([name, schema]) => [name, extendedSchema(view, name, schema)]);
  return { type: 'object', properties: Object.fromEntries(extended), required };
}

const NEXT_CURSOR = {
  type: ['string', 'null'],
  description: 'Gives the next page; null when this is the last one',
};

const STANDS_STILL = {
  type: 'integer',
  minimum: 1,
  description:
    'Streams of the list that stand still before an event that cannot be folded: their items are missing, or old',
};

/** The body of an answer, with references to its views; `undefined` if it has none. */
export function answerSchema(answer: Answer): JsonSchema | undefined {
  if (typeof answer === 'function') return refTo(answer);
  switch (answer.form) {
    case 'page':
      return listSchema(oneOrAny(answer.of), { nextCursor: NEXT_CURSOR }, { standsStill: STANDS_STILL });
    case 'items':
      return listSchema(refTo(answer.of));
    case 'list':
      return { type: 'array', items: refTo(answer.of) };
    case 'nullable':
      return { anyOf: [refTo(answer.of), { type: 'null' }] };
    case 'one of':
      return { anyOf: answer.views.map(refTo) };
    case 'text':
    case 'lines':
      return { type: 'string' };
    case 'nothing':
      return undefined;
  }
}

function oneOrAny([first, ...others]: readonly [View, ...View[]]): JsonSchema {
  return others.length === 0 ? refTo(first) : { anyOf: [first, ...others].map(refTo) };
}

function listSchema(items: JsonSchema, more: JsonSchema = {}, optional: JsonSchema = {}): JsonSchema {
  const properties = { items: { type: 'array', items }, ...more };
  return { type: 'object', required: Object.keys(properties), properties: { ...properties, ...optional } };
}

/** The views that answers are made of, and the views that these refer to, by name. */
export function componentSchemas(answers: readonly Answer[]): { readonly [name: string]: JsonSchema } {
  const found = new Map<string, View>();
  const add = (view: View): void => {
    const other = found.get(view.name);
    if (other && other !== view) throw new TypeError(`Two views have the name ${view.name}.`);
    if (other) return;
    found.set(view.name, view);
    for (const referred of viewsReferredBy(view)) add(referred);
  };
  for (const answer of answers) for (const view of viewsOf(answer)) add(view);
  const schemas = [...found].flatMap(([name, view]) =>
    Object.entries(schemasOf(view) ?? { [name]: viewSchema(view) }),
  );
  return Object.fromEntries(schemas.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** The views that operations answer with, or take. */
export function viewsNamedBy(operations: readonly Operation[]): readonly Answer[] {
  return operations.flatMap(({ type, answers }) => [...Object.values(answers), ...viewsReferredBy(type)]);
}

/** A self-contained schema: its `$defs` hold every schema that it refers to. */
export function selfContained<Kind extends JsonSchema>(
  schema: Kind,
  components: { readonly [name: string]: JsonSchema },
): Kind {
  const text = JSON.stringify(schema);
  if (!text.includes('#/components/schemas/')) return schema;
  const whole = JSON.stringify({ ...schema, $defs: components });
  return JSON.parse(whole.replaceAll('#/components/schemas/', '#/$defs/')) as Kind;
}

function viewsOf(answer: Answer): readonly View[] {
  if (typeof answer === 'function') return [answer];
  if ('of' in answer) return [answer.of].flat();
  return answer.form === 'one of' ? answer.views : [];
}
