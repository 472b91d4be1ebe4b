import { RedialError } from '#lib/kernel';

// Loads no package: every command of the CLI reads the environment first.

/** The value of a setting cannot be used. Stops the start. */
export class InvalidSetting extends RedialError {}

/** Reads the text of a variable. */
export interface Reader<T> {
  /** The accepted texts, with their unit and bounds: for messages, which never show the text (it may hold a secret), and for the docs. */
  readonly form: string;
  /** `undefined` for a text that does not fit. */
  read(text: string): T | undefined;
}

/** A setting as it is declared. Its comment is its line in docs/operations.md. */
export interface Setting<T = unknown, Default = unknown, Name = unknown> {
  readonly variable: Name;
  /** Of a setting that a variable sets. */
  readonly reader: Reader<T> | undefined;
  readonly default: Default;
}

/** Settings by name, in groups. */
export type Tree = { readonly [name: string]: Setting | Tree };

/** Options, each of which may be left out. */
export type OptionsOf<Table> = {
  readonly [Name in keyof Table]?: Table[Name] extends Setting<infer T> ? T : OptionsOf<Table[Name]>;
};

/** Options with the defaults of those that have one. */
export type CompleteOf<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Setting<infer T, infer Default>
    ? ValueOf<T, Default>
    : CompleteOf<Table[Name]>;
};

/** The settings of a table that variables set, by variable. */
export type VariablesOf<Table> = {
  readonly [One in SettingsIn<Table> as NameOf<One>]: One extends Setting<infer T, infer Default>
    ? ValueOf<T, Default>
    : never;
};

type ValueOf<T, Default> = undefined extends Default ? T | undefined : T;
type NameOf<One> = One extends Setting<unknown, unknown, infer Name> ? Name & string : never;
type SettingsIn<Table> = {
  [Name in keyof Table]: Table[Name] extends Setting ? Table[Name] : SettingsIn<Table[Name]>;
}[keyof Table];

/** A setting that the variable of this name sets. */
export function variable<const Name extends string, T>(
  name: Name,
  reader: Reader<T>,
): Setting<T, undefined, Name>;
export function variable<const Name extends string, T>(
  name: Name,
  reader: Reader<T>,
  byDefault: NoInfer<T>,
): Setting<T, T, Name>;
export function variable(name: string, reader: Reader<unknown>, byDefault?: unknown): Setting {
  return { variable: name, reader, default: byDefault };
}

/** A setting that only code gives. */
export function option<T>(): Setting<T, undefined, undefined>;
export function option<T>(byDefault: T): Setting<T, T, undefined>;
export function option(byDefault?: unknown): Setting {
  return { variable: undefined, reader: undefined, default: byDefault };
}

/** The values of these options, and the defaults of the others. @throws InvalidSetting */
export function completed<Table extends Tree>(table: Table, options: OptionsOf<Table>): CompleteOf<Table> {
  const given = options as { readonly [name: string]: OptionsOf<Tree> | undefined };
  const values: object = Object.fromEntries(
    Object.entries(table).map(([name, one]) => {
      const value = given[name];
      if (!isSetting(one)) return [name, completed(one, value ?? {})];
      if (typeof one.default === 'number') checkWhole(name, value);
      return [name, value ?? one.default];
    }),
  );
  return values as CompleteOf<Table>;
}

/**
 * Accepts a whole number, or `undefined`. Other numbers have no JSON and are recorded as null: with NaN, as from an unset variable, or with
 * an infinite time, each call would fail at once.
 * @throws InvalidSetting
 */
export function checkWhole(name: string, value: unknown, from = 0): void {
  if (value === undefined || value === null) return;
  if (Number.isInteger(value) && (value as number) >= from) return;
  throw new InvalidSetting(
    `the option ${name}`,
    `it is not a whole number from ${from}`,
    'Correct it or leave it out',
  );
}

/** All settings of a table. */
export function settingsIn(tree: Tree): readonly Setting[] {
  return Object.values(tree).flatMap((one) => (isSetting(one) ? [one] : settingsIn(one)));
}

export function isSetting(one: Setting | Tree): one is Setting {
  return 'variable' in one;
}
