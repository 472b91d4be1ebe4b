/** A token of Nest for a part that has no class of its own. */
export type Token<Part> = symbol & { readonly part: Part };

/** A token of Nest that names its part. */
export type PartToken = Token<unknown> | (abstract new (...args: never[]) => unknown);

/** The parts that Nest injects for a list, or a record, of tokens. */
export type Provided<Tokens> = {
  readonly [Name in keyof Tokens]: Tokens[Name] extends Token<infer Part>
    ? Part
    : Tokens[Name] extends abstract new (...args: never[]) => infer Instance
      ? Instance
      : never;
};

/** @param name shown by Nest if the part is missing */
export function token<Part>(name: string): Token<Part> {
  return Symbol(name) as Token<Part>;
}
