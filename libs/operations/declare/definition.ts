import { Allow } from 'class-validator';
import type { View } from './answers.js';
import { all, refers, referTo } from './fields.js';

type Schema = Readonly<Record<string, unknown>>;

declare const WHOLE: unique symbol;

/** A field that is the whole input of its operation: in HTTP the body, in the facade the argument. */
export type Whole<T> = Authored<T> & { readonly [WHOLE]?: never };
/** The type of a value from a JSON file: `string` in place of a choice of texts. */
export type Authored<T> = T extends string
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Authored<Item>[]
    : T extends object
      ? { readonly [Name in keyof T]: Authored<T[Name]> }
      : T;

/** The name of the field of the type `Whole`. */
export type WholeName<Fields> = {
  [Name in keyof Fields]-?: typeof WHOLE extends keyof Fields[Name] ? Name : never;
}[keyof Fields];

const FIELD = Symbol('Redial definition');
const SCHEMA = Symbol('Redial JSON Schema');

/** The field is a definition: the whole body, which the handler checks by its own rules. @param of says its shape */
export function IsDefinition(of: View): PropertyDecorator {
  return all(
    refers(of, (ref) => ref),
    Allow(),
    (target, key) => Reflect.defineMetadata(FIELD, key, target.constructor),
  );
}

/** The name of the field with `IsDefinition`, if an operation has one. */
export function definitionOf(type: object): string | undefined {
  return Reflect.getMetadata(FIELD, type) as string | undefined;
}

/**
 * A view whose schema is this JSON Schema, in place of that of its members. `#/$defs/x` of the schema becomes `<name of the view>.x`.
 * @param views the other views that the schema refers to
 */
export function JsonSchemaOf(schema: Schema, ...views: readonly View[]): ClassDecorator {
  return (target) => {
    Reflect.defineMetadata(SCHEMA, schema, target);
    referTo(target, views);
  };
}

/** The schema of a view with `@JsonSchemaOf`, and those of its parts by name. */
export function schemasOf(view: View): Readonly<Record<string, Schema>> | undefined {
  const schema = Reflect.getOwnMetadata(SCHEMA, view) as Schema | undefined;
  if (!schema) return undefined;
  const text = JSON.stringify(schema).replaceAll('#/$defs/', `#/components/schemas/${view.name}.`);
  const { $schema: _draft, $defs = {}, ...root } = JSON.parse(text) as Record<string, Schema>;
  const parts = Object.entries($defs).map(([name, part]) => [`${view.name}.${name}`, part]);
  return { [view.name]: root, ...Object.fromEntries(parts) } as Readonly<Record<string, Schema>>;
}
