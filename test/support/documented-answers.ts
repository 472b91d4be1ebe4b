import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { openApiDocument } from '../../apps/server/src/docs/openapi.js';

interface Responses {
  readonly [status: string]: { readonly content?: { readonly [mediaType: string]: object } };
}

interface Route {
  readonly method: string;
  readonly pattern: RegExp;
  readonly names: number;
  readonly pointer: string;
  readonly responses: Responses;
}

/** Not modified, to `If-None-Match` of any GET, and a failure inside the server: no document promises them. */
const OF_ANY_CALL: readonly number[] = [304, 500];

/** Answers of a server that its OpenAPI document does not describe: another status, another type, or a body that does not fit. */
export class DocumentedAnswers {
  readonly #found: string[] = [];

  constructor(server: Server) {
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      let body = '';
      const end = response.end.bind(response) as (...given: unknown[]) => ServerResponse;
      response.end = ((...given: unknown[]) => {
        const [last] = given;
        if (typeof last === 'string' || Buffer.isBuffer(last)) body = String(last);
        return end(...given);
      }) as typeof response.end;
      response.once('finish', () => {
        const about = this.#problem(request, response, body);
        if (about !== undefined) this.#found.push(`${request.method} ${request.url}: ${about}`);
      });
    });
  }

  /** @throws Error that names them */
  check(): void {
    if (this.#found.length > 0)
      throw new Error(`Answers that openapi.json does not describe:\n${this.#found.join('\n')}`);
  }

  #problem({ method, url = '' }: IncomingMessage, response: ServerResponse, body: string) {
    const [path = ''] = url.split('?');
    const route = routes.find((each) => each.method === method && each.pattern.test(path));
    const { statusCode } = response;
    if (!route || OF_ANY_CALL.includes(statusCode)) return undefined;
    const documented = route.responses[statusCode];
    if (!documented) return `status ${statusCode} is not documented: ${body.slice(0, 200)}`;
    if (body === '') return undefined;
    const [type = ''] = String(response.getHeader('content-type')).split(';');
    if (!documented.content || !(type in documented.content))
      return `type ${type} of ${statusCode} is not documented`;
    return type.endsWith('json') ? misfit(route, `${statusCode}/content/${escaped(type)}`, body) : undefined;
  }
}

function misfit({ pointer }: Route, response: string, body: string): string | undefined {
  const validate = validators.getSchema(`document#${pointer}/responses/${response}/schema`);
  if (!validate) return `${response} has no schema`;
  if (validate(JSON.parse(body)) === true) return undefined;
  return `${response} does not fit its schema: ${JSON.stringify(validate.errors)}`;
}

/** A word of a JSON pointer in a URI. */
function escaped(word: string): string {
  return encodeURIComponent(word.replaceAll('~', '~0').replaceAll('/', '~1'));
}

const document = openApiDocument() as {
  readonly paths: { readonly [path: string]: { readonly [method: string]: { responses: Responses } } };
};

/** Routes with fewer path parameters come first, as on the server. */
const routes: readonly Route[] = Object.entries(document.paths)
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => ({
      method: method.toUpperCase(),
      pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      names: path.split('{').length,
      pointer: `/paths/${escaped(path)}/${method}`,
      responses,
    })),
  )
  .toSorted((one, other) => one.names - other.names);

const validators = new Ajv2020({ strict: false });
formats.default(validators);
validators.addSchema({ ...document, $id: 'document' });
