/** The values of a command line, by the fields of an operation. */
export type Fields = Readonly<Record<string, unknown>>;

/** The field that is given as JSON text or in a file. */
export const META = 'metaJson';

/** An option or argument of a command, and its field of the operation. */
export interface CommandField {
  readonly field: string;
  readonly name: string;
  /** The default of the command, if the operation has none. */
  readonly value?: string;
  readonly isRequired?: true;
  /** A flag that also takes `true` or `false`: without it the field is absent. */
  readonly takesFalse?: true;
}

/** The words of the command of an operation, from its declaration. */
interface CommandWords {
  /** The last word names the command, the others its groups. */
  readonly words: readonly string[];
  readonly args: readonly CommandField[];
  /** The fields that the declaration names as words; all other fields are options named after them. */
  readonly options: readonly CommandField[];
}

/** Reads `decisions <machineName> [state] --limit <limit=50> --disabled [disabled]`. */
export function readCommandWords(cli: string): CommandWords {
  const named = [...cli.matchAll(/ --([a-z-]+) ([<[])(\w+)(?:=([^>]+))?[>\]]/g)];
  const [rest = ''] = cli.split(' --');
  const parts = rest.split(' ');
  return {
    words: parts.filter((word) => !/^[<[]/.test(word)),
    args: parts.flatMap((word) => {
      const [, bracket, field] = /^([<[])(\w+)/.exec(word) ?? [];
      if (field === undefined) return [];
      return [{ field, name: optionName(field), ...(bracket === '<' && { isRequired: true as const }) }];
    }),
    options: named.map(([, name = '', bracket, field = '', value]) => ({
      field,
      name,
      ...(value !== undefined && { value }),
      ...(bracket === '[' && { takesFalse: true as const }),
    })),
  };
}

/** `sessionId` is `session`, `machineName` is `machine`, `priceVersion` is `price-version`, `costUSD` is `cost-usd`. */
export function optionName(field: string): string {
  const short = field.replace(/(?<=.)(?:Id|Name)$/, '');
  return short.replaceAll(/(?<=[a-z])[A-Z]/g, '-$&').toLowerCase();
}

/** The member of commander's options that holds an option. */
export function optionKey(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
