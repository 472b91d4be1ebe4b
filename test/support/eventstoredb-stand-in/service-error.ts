import { grpc, type ServiceError } from './grpc.js';

/** An error as the server sends it: what kind it is stands in the trailing metadata under `exception`. */
export function serviceError(
  code: number,
  details: string,
  trailers: { readonly [name: string]: string } = {},
): ServiceError {
  const metadata = new grpc.Metadata();
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, value);
  return Object.assign(new Error(details), { code, details, metadata });
}

export function accessDenied(): ServiceError {
  return serviceError(grpc.status.PERMISSION_DENIED, 'Access Denied.', { exception: 'access-denied' });
}

/** How a server answers a read of the log from between two events, or backwards from beyond its end. */
export function invalidPosition(): ServiceError {
  return serviceError(grpc.status.UNKNOWN, 'Exception was thrown by handler.');
}

/** As `invalidPosition`, for a subscription. */
export function invalidStart(): ServiceError {
  return serviceError(grpc.status.INVALID_ARGUMENT, 'Invalid position.');
}

export function badRequest(why: string): ServiceError {
  return serviceError(grpc.status.INVALID_ARGUMENT, why);
}

export function timedOut(): ServiceError {
  return serviceError(grpc.status.ABORTED, 'Operation timed out.');
}

export function streamDeleted(stream: string): ServiceError {
  return serviceError(grpc.status.FAILED_PRECONDITION, 'Stream is deleted.', {
    exception: 'stream-deleted',
    'stream-name': encodeURIComponent(stream),
  });
}

export function wrongExpectedVersion(
  stream: string,
  expected: number,
  actual: number | undefined,
): ServiceError {
  return serviceError(grpc.status.FAILED_PRECONDITION, 'Append failed due to WrongExpectedVersion.', {
    exception: 'wrong-expected-version',
    'stream-name': encodeURIComponent(stream),
    'expected-version': String(expected),
    ...(actual !== undefined && { 'actual-version': String(actual) }),
  });
}

export function appendTooLarge(largest: number): ServiceError {
  return serviceError(grpc.status.INVALID_ARGUMENT, 'Maximum Append Size exceeded.', {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(largest),
  });
}
