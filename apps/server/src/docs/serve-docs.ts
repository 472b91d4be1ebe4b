import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { operations } from '#lib/engine';
import { openApiOf } from '#lib/operations';
import { problemSchema } from './problem-schema.js';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

/** Serves `/openapi.json`, and at `/docs` a page to try it, with nothing from elsewhere. */
export function serveDocs(app: NestExpressApplication): void {
  SwaggerModule.setup('docs', app, () => openApiDocument(app), {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    customSiteTitle: 'Redial',
    swaggerOptions: { validatorUrl: null, persistAuthorization: false },
  });
}

function openApiDocument(app: NestExpressApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Redial')
    .setDescription(
      'State machines whose transitions are chosen by language models and people, every step recorded.',
    )
    .setVersion('1')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addBearerAuth()
    .addSecurityRequirements('bearer')
    .build();
  const document = SwaggerModule.createDocument(app, config);
  const declared = openApiOf(operations);
  const schemas = {
    Problem: problemSchema as Schemas[string],
    ...(declared.components.schemas as Schemas),
  };
  const paths = { ...document.paths, ...(declared.paths as OpenAPIObject['paths']) };
  return { ...document, servers: [{ url: '/' }], paths, components: { ...document.components, schemas } };
}
