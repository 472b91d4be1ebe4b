/**
 * Converts a text (of a query, of a command line) to the type that its schema names. A text that does not fit is not changed: the validation of the
 * operation reports it.
 */
export function fromText(value: unknown, { type }: { readonly type?: unknown } = {}): unknown {
  if (typeof value !== 'string') return value;
  if (type === 'integer') return /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  if (type === 'number') return value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value;
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value;
  if (type === 'object' || type === 'array') return parsed(value);
  return Array.isArray(type) ? oneOf(type, value) : value;
}

/** The text as JSON of one of these types, else the text itself. */
function oneOf(types: readonly unknown[], text: string): unknown {
  const value = parsed(text);
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  return types.includes(type) ? value : text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
