import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

/** Shorter than servers keep a connection that is idle, so that few are closed at the moment they are used. */
const IDLE_MS = 4_000;
const MOST_IDLE = 64;

/**
 * The connections to one API, each kept for the calls that follow. A call that fails on a kept connection fails like any other:
 * Node never repeats a request.
 */
export function keptConnections({ protocol }: URL): HttpAgent {
  const options = {
    keepAlive: true,
    timeout: IDLE_MS,
    maxFreeSockets: MOST_IDLE,
    scheduling: 'lifo',
  } as const;
  return protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options);
}
