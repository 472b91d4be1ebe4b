import { grpc, type Metadata, type ServiceError } from './grpc.js';
import { accessDenied, serviceError } from './service-error.js';

/** Of a user that may not read `$all`. */
interface LimitedUser {
  readonly password: string;
  readonly readsAll: false;
}

/** Passwords by user name. `undefined`: an insecure server, which asks nobody. */
export type Users = { readonly [name: string]: string | LimitedUser } | undefined;

/** In the place of a name: who gives no credentials may act too (the server's `AllowAnonymousStreamAccess`). */
export const ANONYMOUS = '';

/** Why these credentials get nowhere, if they do not. */
export function refusal(users: Users, metadata: Metadata): ServiceError | undefined {
  if (users === undefined) return undefined;
  const [header] = metadata.get('authorization');
  if (header === undefined) return Object.hasOwn(users, ANONYMOUS) ? undefined : accessDenied();
  const [name, password] = nameAndPassword(String(header));
  const user = Object.hasOwn(users, name) ? users[name] : undefined;
  if ((typeof user === 'object' ? user.password : user) === password) return undefined;
  return serviceError(grpc.status.UNAUTHENTICATED, 'Bad gRPC response. HTTP status code: 401');
}

/** As `refusal`, of a call that reads `$all`, whose credentials are right. */
export function refusalOfAll(users: Users, metadata: Metadata): ServiceError | undefined {
  const [header] = metadata.get('authorization');
  if (users === undefined || header === undefined) return undefined;
  const [name] = nameAndPassword(String(header));
  return typeof users[name] === 'object' ? accessDenied() : undefined;
}

function nameAndPassword(header: string): readonly [name: string, password: string] {
  const text = Buffer.from(header.replace('Basic ', ''), 'base64').toString('utf8');
  const [name = '', password = ''] = text.split(':');
  return [name, password];
}
