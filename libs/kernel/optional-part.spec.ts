import { describe, expect, it } from '@jest/globals';
import { loadPart } from './optional-part.js';

function notFound(name: string): Error {
  const message = `Cannot find package '${name}' imported from /app/node_modules/redial/dist/connection.js`;
  return Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' });
}

describe('X-L6: a part with optional packages', () => {
  it('names the package that is missing and the command that installs all it needs', async () => {
    const load = () => Promise.reject(notFound('@modelcontextprotocol/sdk'));
    await expect(loadPart('MCP', load)).rejects.toThrow(
      '[PackageMissing] cannot use MCP: the package @modelcontextprotocol/sdk is not installed. Install what it needs: npm i @modelcontextprotocol/sdk@1 zod@4.',
    );
  });

  it.each(['long', '@grpc/grpc-js'])('passes on that a package of others is missing: %s', async (name) => {
    const error = notFound(name);
    await expect(loadPart('EventStoreDB', () => Promise.reject(error))).rejects.toBe(error);
  });

  it('is what was loaded when nothing is missing', async () => {
    expect(await loadPart('PostgreSQL', () => Promise.resolve('loaded'))).toBe('loaded');
  });
});
