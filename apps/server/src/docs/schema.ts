/** Short words for JSON Schema. */
export const text = { type: 'string' } as const;
export const time = { type: 'string', format: 'date-time' } as const;
export const uuid = { type: 'string', format: 'uuid' } as const;
export const flag = { type: 'boolean' } as const;
export const number = { type: 'number' } as const;
export const whole = { type: 'integer', minimum: 0 } as const;
export const json = { type: 'object', additionalProperties: true } as const;
export const textOrNull = { type: ['string', 'null'] } as const;

export function choice(...values: readonly string[]) {
  return { type: 'string', enum: values };
}

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
