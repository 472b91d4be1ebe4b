import { getSchemaPath } from '@nestjs/swagger';

const PAGE_END = {
  type: ['string', 'null'],
  description: 'Gives the next page; null when this is the last one',
};

/** A schema of `components/schemas`, by name. */
export function one(name: string) {
  return { $ref: getSchemaPath(name) };
}

/** A page of such things. */
export function pageOf(name: string) {
  return {
    type: 'object',
    required: ['items', 'nextCursor'],
    properties: { items: { type: 'array', items: one(name) }, nextCursor: PAGE_END },
  };
}
