import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { statusProblem } from './framework-problem.js';
import type { HttpProblem } from '#lib/engine/core';

const MEDIA_TYPE = 'application/problem+json; charset=utf-8';
const STATUS_OF: { readonly [code: string]: number | undefined } = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Answers with a problem document to requests that Node refuses before a handler sees them: malformed ones, headers over 16 KiB, ones that
 * take too long, unmet expectations. The connection is closed after the answer, or without an answer if another one is being sent.
 */
export function answerClientErrors(server: Server): void {
  const latest = new WeakMap<Duplex, ServerResponse>();
  server.on('request', ({ socket }, response) => latest.set(socket, response));
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket) => {
    const response = latest.get(socket);
    const isAnswering = response?.headersSent === true && !response.writableEnded;
    if (!socket.writable || isAnswering || code === 'ECONNRESET') return void socket.destroy();
    socket.end(answerText(statusProblem(STATUS_OF[code] ?? 400)), () => socket.destroy());
  });
  server.on('checkExpectation', (_request, response: ServerResponse) => {
    const body = JSON.stringify(statusProblem(417));
    const length = Buffer.byteLength(body);
    response
      .writeHead(417, { 'Content-Type': MEDIA_TYPE, 'Content-Length': length, Connection: 'close' })
      .end(body);
  });
}

function answerText(problem: HttpProblem): string {
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    `Content-Type: ${MEDIA_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
