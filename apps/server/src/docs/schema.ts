/** Short words for JSON Schema. */
export const text = { type: 'string' } as const;
export const uuid = { type: 'string', format: 'uuid' } as const;
export const whole = { type: 'integer', minimum: 0 } as const;

export function list(items: object) {
  return { type: 'array', items };
}

/** An object; members whose names end in `?` may be absent. */
export function object(members: Readonly<Record<string, object>>) {
  const names = Object.keys(members);
  return {
    type: 'object',
    required: names.filter((name) => !name.endsWith('?')),
    properties: Object.fromEntries(names.map((name) => [name.replace(/\?$/, ''), members[name]])),
  };
}
