/**
 * The bounds of schemas and of checks. They are the same on every machine, because they are part of replay: changing one changes the rules.
 * docs/limits.md lists them for authors.
 */
export const limits = {
  /** Bytes of a schema's JSON text. */
  schemaBytes: 256 * 1024,
  /** Levels of nested subschemas. */
  schemaDepth: 64,
  /** Members of all objects within the schemas of one definition, such as a machine. */
  keywords: 3_000,
  /** Subschemas that one value meets at one location, with references followed. */
  expansion: 1_000,
  patternLength: 1_000,
  /** Instructions of a compiled pattern, as `patternWeight` estimates them. */
  patternWeight: 2_500,
  /** Instructions of all different patterns within the schemas of one definition. */
  patternsWeight: 6_000,
  /** Problems after which the check of a schema stops. */
  problems: 20,

  /** Bytes of a value's JSON text. */
  valueBytes: 1024 * 1024,
  /** Levels of nested objects and arrays. */
  valueDepth: 100,
  /** Characters of a string that is checked against a `format`. A longer string does not fit. */
  formatLength: 2_048,
  /**
   * Steps of one check, besides those of the unit that it is a part of: about one for each keyword that is applied, each member that is visited, and
   * each instruction of a pattern at each character.
   */
  steps: 300_000,
  /** Nested subschemas that are being evaluated at one time. */
  evaluationDepth: 600,
  /** Errors that are listed for one value; the others are counted. */
  errors: 20,
  /** Characters of an error's path, and of each string in its params. */
  errorText: 200,
} as const;
