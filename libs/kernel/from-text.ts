/**
 * A value that came as text (of a query, of a command line) as its schema wants it. What does not fit stays text: the
 * validation of the operation says what is wrong.
 */
export function fromText(value: unknown, { type }: { readonly type?: unknown } = {}): unknown {
  if (typeof value !== 'string') return value;
  if (type === 'integer') return /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  if (type === 'number') return value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value;
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value;
  if (type === 'object' || type === 'array') return parsed(value);
  return Array.isArray(type) ? oneOf(type, value) : value;
}

/** JSON of one of these types, else the text. */
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
