import { fileURLToPath } from 'node:url';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Application } from 'express';
import { operations } from '#lib/engine';
import { openApiOf } from '#lib/operations';
import { ownPaths } from './own-routes.js';
import { list, object, text, uuid, whole } from './schema.js';

/** The body of every answer that is an error. */
const problemSchema = {
  ...object({
    type: text,
    title: text,
    status: whole,
    detail: text,
    code: text,
    'errors?': list(object({ path: text, message: text })),
    'kind?': text,
    'upstreamStatus?': whole,
    'solicitationId?': uuid,
    'arbitrationId?': uuid,
    'parts?': list(object({ part: text, why: text })),
  }),
  description: 'RFC 9457; `detail` follows `[ErrorClass] what: why. how to fix.`, `code` is for programs',
};

/** All routes of the server, as OpenAPI 3.1 describes them. */
function openApiDocument(): object {
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

const ASSETS = fileURLToPath(new URL('.', import.meta.resolve('swagger-ui-dist/package.json')));

/** Without inline scripts, which the policy of the server's pages refuses. */
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Redial</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png" />
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

const START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#swagger-ui', deepLinking: true, validatorUrl: null });
`;

/** Serves `/openapi.json`, and at `/docs` a page to try it, with nothing from elsewhere. The document is made when it is first asked for. */
export function serveDocs(app: NestExpressApplication): void {
  const http = app.getHttpAdapter().getInstance() as Application;
  let document: object | undefined;
  http.get('/openapi.json', (_request, response) => {
    document ??= openApiDocument();
    response.json(document);
  });
  http.get('/docs', (_request, response) => void response.type('html').send(PAGE));
  http.get('/docs/start.js', (_request, response) => void response.type('js').send(START));
  app.useStaticAssets(ASSETS, { prefix: '/docs/', index: false });
}
