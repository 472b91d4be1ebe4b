import { operations } from '#lib/engine';
import { openApiOf } from '#lib/operations';
import { ownPaths } from './own-routes.js';
import { problemSchema } from './problem-schema.js';

/** All routes of the server, as OpenAPI 3.1 describes them. */
export function openApiDocument(): object {
  const declared = openApiOf(operations);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Redial',
      description:
        'State machines whose transitions are chosen by language models and people, every step recorded.',
      version: '1',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    paths: { ...ownPaths(), ...declared.paths },
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Problem: problemSchema, ...declared.components.schemas },
    },
  };
}
