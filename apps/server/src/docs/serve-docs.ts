import { fileURLToPath } from 'node:url';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Application } from 'express';
import { prefixOf } from '../console/base-path.js';

const ASSETS = fileURLToPath(new URL('.', import.meta.resolve('swagger-ui-dist/package.json')));

/** Without inline scripts, which the policy of the server's pages refuses. */
const page = (base: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Redial</title>
    <link rel="stylesheet" href="${base}docs/swagger-ui.css" />
    <link rel="icon" type="image/png" href="${base}docs/favicon-32x32.png" />
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="${base}docs/swagger-ui-bundle.js"></script>
    <script src="${base}docs/start.js"></script>
  </body>
</html>
`;

const START = `const url = new URL('../openapi.json', document.currentScript.src).href;
SwaggerUIBundle({ url, dom_id: '#swagger-ui', deepLinking: true, validatorUrl: null });
`;

/**
 * Serves `/openapi.json`, and at `/docs` a page to try it, without any content from other hosts. The document is made at the first request.
 * @param basePath the path for clients, unless a proxy names another one
 */
export function serveDocs(app: NestExpressApplication, basePath: string): void {
  const http = app.getHttpAdapter().getInstance() as Application;
  let document: object | undefined;
  const made = async () => (document ??= (await import('./openapi.js')).openApiDocument());
  http.get('/openapi.json', (request, response, next) => {
    const url = prefixOf(request, basePath).replace(/(?<=.)\/$/, '');
    made().then((found) => response.json({ ...found, servers: [{ url }] }), next);
  });
  http.get('/docs', (request, response) => response.type('html').send(page(prefixOf(request, basePath))));
  http.get('/docs/start.js', (_request, response) => void response.type('js').send(START));
  app.useStaticAssets(ASSETS, { prefix: '/docs/', index: false });
}
