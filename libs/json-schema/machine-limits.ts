/**
 * The bounds of a machine's definition, the same on every machine. Schemas within it have their own (`schemaLimits`).
 * docs/limits.md lists both for authors.
 */
export const machineLimits = {
  /** Levels of objects and arrays in one another. */
  depth: 100,
  /** Members of all objects and items of all arrays. */
  values: 10_000,
  /** States, transitions and entries of specialists, all together. */
  parts: 1_200,
  /** Characters of a member's name, such as the name of a state. */
  nameLength: 256,
  /** Characters of all context templates together. */
  templates: 256 * 1024,
} as const;
