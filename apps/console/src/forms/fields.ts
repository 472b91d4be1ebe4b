/** Forms from JSON Schemas: the fields, and how a text becomes a value. The server checks the value against the schema. */

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly title?: string;
  readonly description?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

type FieldKind = 'text' | 'number' | 'checkbox' | 'select' | 'json';

export interface Field {
  /** The member of the value; empty for a value that is no object. */
  readonly name: string;
  readonly label: string;
  readonly kind: FieldKind;
  readonly isNeeded: boolean;
  readonly hint?: string;
  readonly options?: readonly unknown[];
}

/** The texts of fields, by their names. A checkbox has the text `true` or is empty. */
export type Texts = { readonly [name: string]: string };

/** A field for each member of an object, one for any other value; none for an object without declared members. */
export function fieldsOf(schema: object | undefined, label: string): readonly Field[] {
  const { properties, required = [], ...rest } = (schema ?? {}) as Schema;
  if (properties)
    return Object.entries(properties).map(([name, member]) =>
      fieldOf(name, name, member, required.includes(name)),
    );
  const isAnyObject = rest.type === 'object' || rest.type === undefined;
  return isAnyObject && rest.enum === undefined ? [] : [fieldOf('', label, rest, true)];
}

/** The fields for a value: one for any JSON if the value has members that no schema declares, so that none of it is hidden. */
export function fieldsFor(declared: readonly Field[], label: string, value: unknown): readonly Field[] {
  if (typeof value !== 'object' || value === null || declared.every(({ name }) => name === ''))
    return declared;
  const isDeclared = (member: string) => declared.some(({ name }) => name === member);
  return Object.keys(value).every(isDeclared) ? declared : [jsonField(label)];
}

/** The field for an object whose members no schema declares. */
export function jsonField(label: string): Field {
  return { name: '', label, kind: 'json', isNeeded: false };
}

function fieldOf(name: string, label: string, schema: Schema, isNeeded: boolean): Field {
  const { title = label, enum: options } = schema;
  const hint = hintOf(schema);
  const kind = options ? 'select' : kindOf(schema);
  return { name, label: title, kind, isNeeded, ...(hint && { hint }), ...(options && { options }) };
}

function kindOf({ type }: Schema): FieldKind {
  const [one] = [type ?? 'json'].flat();
  if (one === 'string') return 'text';
  if (one === 'boolean') return 'checkbox';
  return one === 'number' || one === 'integer' ? 'number' : 'json';
}

function hintOf({ description = '', minimum, maximum, maxLength }: Schema): string {
  const bounds = [
    minimum !== undefined && `at least ${minimum}`,
    maximum !== undefined && `at most ${maximum}`,
    maxLength !== undefined && `at most ${maxLength} characters`,
  ].filter(Boolean);
  return [description, bounds.join(', ')].filter(Boolean).join('; ');
}

/** The texts for a value. */
export function textsOf(fields: readonly Field[], value: unknown): Texts {
  return Object.fromEntries(fields.map((field) => [field.name, textOf(field, memberOf(field, value))]));
}

function memberOf({ name }: Field, value: unknown): unknown {
  if (name === '') return value;
  return Object.hasOwn(Object(value) as object, name) ? (value as Record<string, unknown>)[name] : undefined;
}

function textOf({ kind }: Field, value: unknown): string {
  if (value === undefined) return '';
  if (kind === 'select') return optionText(value);
  if (kind === 'checkbox') return value === true ? 'true' : '';
  if (kind === 'text' && typeof value === 'string') return value;
  return kind === 'json' ? JSON.stringify(value, null, 2) : JSON.stringify(value).replaceAll(/^"|"$/g, '');
}

/** The text of an option of an `enum`, which may be any JSON. */
export function optionText(option: unknown): string {
  return typeof option === 'string' ? option : JSON.stringify(option);
}

/** The value of a form, or the errors in its texts, by field. */
export type Read = { readonly value: unknown } | { readonly problems: { readonly [name: string]: string } };

/** Reads the texts; a field with the text that it began with keeps its member of that value as it is. */
export function read(fields: readonly Field[], texts: Texts, begun?: unknown): Read {
  const before = textsOf(fields, begun);
  const members = fields.map((field) => {
    const text = texts[field.name] ?? '';
    const member = memberOf(field, begun);
    if (text !== before[field.name]) return [field.name, readOne(field, text)] as const;
    if (member !== undefined) return [field.name, { value: member }] as const;
    // A box that was not there and is not ticked stays away: other fields without a text do as well.
    const isAbsent = field.kind === 'checkbox' && !field.isNeeded && begun !== undefined;
    return [field.name, isAbsent ? {} : readOne(field, text)] as const;
  });
  const wrong = members.flatMap(([name, one]) => ('problem' in one ? [[name, one.problem] as const] : []));
  if (wrong.length > 0) return { problems: Object.fromEntries(wrong) };
  const given = members.flatMap(([name, one]) => ('value' in one ? [[name, one.value] as const] : []));
  const [first] = fields;
  if (first?.name === '') return { value: given[0]?.[1] };
  return { value: Object.fromEntries(given) };
}

type ReadOne = { readonly value: unknown } | { readonly problem: string } | object;

function readOne({ kind, isNeeded, options }: Field, text: string): ReadOne {
  if (kind === 'checkbox') return { value: text === 'true' };
  if (text.trim() === '')
    return isNeeded && kind !== 'text' ? { problem: 'is needed' } : isNeeded ? { value: text } : {};
  if (kind === 'text') return { value: text };
  if (kind === 'select') return { value: options?.find((option) => optionText(option) === text) };
  if (kind === 'number')
    return Number.isFinite(Number(text)) ? { value: Number(text) } : { problem: 'is no number' };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { problem: 'is no JSON' };
  }
}

/** Problems that a server found, by field: those of members below `at`. @param at the pointer of the form's value in the body */
export function problemsAt(
  errors: readonly { readonly path: string; readonly message: string }[],
  at: string,
): { readonly [name: string]: string } {
  return Object.fromEntries(
    errors.map(({ path, message }) => {
      const inner = path.startsWith(`${at}/`) ? path.slice(at.length + 1) : path.replace(/^\//, '');
      return [inner.split('/')[0] ?? '', message];
    }),
  );
}

/** Whether there are problems, and each is at a field of the form: others are to be shown beside the form. */
export function areAtFields(
  problems: { readonly [name: string]: string },
  fields: readonly Field[],
): boolean {
  const names = Object.keys(problems);
  return names.length > 0 && names.every((name) => fields.some((field) => field.name === name));
}

/** The names in a text, separated by commas. */
export function namesIn(text = ''): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
