import { connect } from 'node:tls';

const TIMEOUT_MS = 1_000;

/**
 * Whether a server speaks TLS. One that does ends a connection without TLS and says nothing, as a server does that starts or is
 * overloaded. Nothing is sent to it and nothing believed, so its certificate does not matter here.
 */
export function speaksTls(endpoint: string): Promise<boolean> {
  const [host, port] = endpoint.split(':');
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port), rejectUnauthorized: false, timeout: TIMEOUT_MS });
    const settle = (speaks: boolean) => {
      socket.destroy();
      resolve(speaks);
    };
    socket.once('secureConnect', () => settle(true));
    socket.once('timeout', () => settle(false));
    socket.once('error', () => settle(false));
  });
}
