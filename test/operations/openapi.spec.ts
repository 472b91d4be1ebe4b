import { expect, it } from '@jest/globals';
import { operations } from '#lib/engine';
import { openApiDocument } from '../../apps/server/src/docs/openapi.js';

interface Found {
  readonly pointer: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Words by which a schema of objects says which members may stand in them. */
const ABOUT_MEMBERS = ['additionalProperties', 'allOf', 'anyOf', 'oneOf', 'patternProperties', 'properties'];

/** The schemas in a document; examples hold values, and so do words such as `enum`. */
function* objectSchemas(value: unknown, pointer = ''): Generator<Found> {
  if (typeof value !== 'object' || value === null) return;
  const schema = value as Found['schema'];
  const { type } = schema;
  if (type === 'object' || (Array.isArray(type) && type.includes('object'))) yield { pointer, schema };
  for (const [name, member] of Object.entries(schema))
    if (!['example', 'examples', 'enum', 'const', 'default'].includes(name))
      yield* objectSchemas(member, `${pointer}/${name}`);
}

it('0.2-O9: each schema of an object says which members may stand in it: generators of clients read silence as none', () => {
  const found = [...objectSchemas(openApiDocument())];
  expect(found.length).toBeGreaterThan(100);
  const silent = found.filter(({ schema }) => !ABOUT_MEMBERS.some((word) => word in schema));
  expect(silent.map(({ pointer }) => pointer)).toEqual([]);
});

interface Route {
  readonly parameters: readonly { readonly name: string }[];
}

it('every GET of the document takes minPosition, but for the health of the process', () => {
  const { paths } = openApiDocument() as { paths: Readonly<Record<string, { readonly get?: Route }>> };
  const without = Object.entries(paths).filter(
    ([, { get }]) => get && !get.parameters.some(({ name }) => name === 'minPosition'),
  );
  expect(without.map(([path]) => path)).toEqual(['/health/live', '/health/ready']);
});

it('lists are read in pages, but for the few that are short by what they list', () => {
  const whole = operations.filter(
    ({ answers: { 200: answer } }) => answer && 'form' in answer && answer.form === 'items',
  );
  expect(whole.map(({ id }) => id).toSorted()).toEqual([
    'getDecisionDays',
    'getModelStatistics',
    'listModelCapabilities',
    'listProjections',
  ]);
});
