import { grpc, type Metadata, type ServiceError } from './grpc.js';
import { accessDenied, serviceError } from './service-error.js';

/** Passwords by user name. `undefined`: an insecure server, which asks nobody. */
export type Users = { readonly [name: string]: string } | undefined;

/** In the place of a name: who gives no credentials may act too (the server's `AllowAnonymousStreamAccess`). */
export const ANONYMOUS = '';

/** Why these credentials get nowhere, if they do not. */
export function refusal(users: Users, metadata: Metadata): ServiceError | undefined {
  if (users === undefined) return undefined;
  const [header] = metadata.get('authorization');
  if (header === undefined) return Object.hasOwn(users, ANONYMOUS) ? undefined : accessDenied();
  const [name = '', password] = Buffer.from(String(header).replace('Basic ', ''), 'base64')
    .toString('utf8')
    .split(':');
  if (Object.hasOwn(users, name) && users[name] === password) return undefined;
  return serviceError(grpc.status.UNAUTHENTICATED, 'Bad gRPC response. HTTP status code: 401');
}
