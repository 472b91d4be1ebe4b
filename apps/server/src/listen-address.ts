import { isIP } from 'node:net';
import type { Environment } from '#lib/engine/core';
import { RedialError } from '#lib/kernel';
import { isLoopback } from './security/request-origin.js';

/** Without a token, every client that reaches the server is an operator. Stops the start. */
class OpenToOthers extends RedialError {}

/** @throws OpenToOthers when the server would listen beyond this host without a token */
export function checkListenAddress({ HOST, REDIAL_API_TOKEN }: Environment): void {
  if (REDIAL_API_TOKEN !== undefined || isLoopback(HOST)) return;
  throw new OpenToOthers(
    `the server will not listen on ${HOST}`,
    'REDIAL_API_TOKEN is not set, so everybody who reaches this host could use it',
    'Set REDIAL_API_TOKEN, or HOST to 127.0.0.1',
  );
}

/** As a URL; IPv6 addresses in brackets. */
export function urlOf(host: string, port: number): string {
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}
