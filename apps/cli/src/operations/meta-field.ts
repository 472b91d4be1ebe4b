/** The values of a command line, by the fields of an operation. */
export type Fields = Readonly<Record<string, unknown>>;

/** The field that is given as JSON text or in a file. */
export const META = 'metaJson';
