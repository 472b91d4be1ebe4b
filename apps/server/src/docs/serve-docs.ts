import { fileURLToPath } from 'node:url';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Application } from 'express';

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

/** Serves `/openapi.json`, and at `/docs` a page to try it, with nothing from other hosts. The document is made when it is first asked for. */
export function serveDocs(app: NestExpressApplication): void {
  const http = app.getHttpAdapter().getInstance() as Application;
  let document: object | undefined;
  http.get('/openapi.json', async (_request, response) => {
    document ??= (await import('./openapi.js')).openApiDocument();
    response.json(document);
  });
  http.get('/docs', (_request, response) => void response.type('html').send(PAGE));
  http.get('/docs/start.js', (_request, response) => void response.type('js').send(START));
  app.useStaticAssets(ASSETS, { prefix: '/docs/', index: false });
}
