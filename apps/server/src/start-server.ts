import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Environment, RedialOptions } from '#lib/engine/core';
import { RedialError } from '#lib/kernel';
import { createServer } from './create-server.js';
import { urlOf } from './listen-address.js';

/** The server cannot listen on its address. Stops the start. */
class CannotListen extends RedialError {}

interface RunningServer {
  readonly app: NestExpressApplication;
  /** With the real port if the environment has 0. */
  readonly url: string;
}

/**
 * Starts all parts; resolves once the server listens.
 * @throws RedialError if the server cannot start; the started parts are stopped first
 */
export async function startServer(
  environment: Environment,
  options: RedialOptions = {},
): Promise<RunningServer> {
  const { HOST, PORT } = environment;
  const app = await createServer(environment, options);
  try {
    await app.listen(PORT, HOST);
  } catch (error) {
    await app.close();
    throw isListenError(error) ? cannotListen(urlOf(HOST, PORT), error) : error;
  }
  const { port } = app.getHttpServer().address() as AddressInfo;
  return { app, url: urlOf(HOST, port) };
}

function isListenError(error: unknown): error is Error {
  return typeof error === 'object' && error !== null && 'syscall' in error && error.syscall === 'listen';
}

function cannotListen(url: string, cause: Error): CannotListen {
  const fix = 'Choose another PORT or HOST, or stop the process that uses it';
  return new CannotListen(`the server cannot listen on ${url}`, cause.message, fix, { cause });
}
