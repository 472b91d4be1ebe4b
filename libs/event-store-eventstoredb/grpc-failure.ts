import { StoreUnavailable } from '#lib/event-store';
import { ServerSilent } from './server-errors.js';

/** The failure of a call. */
export interface GrpcFailure {
  readonly code: number;
  readonly details: string;
  readonly metadata?: { readonly getMap: () => { readonly [name: string]: unknown } };
}

/** gRPC's own numbers. */
export const GRPC = {
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  aborted: 10,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** gRPC's words for `cancel()`. */
const CANCELLED_BY_US = 'Cancelled on client';

const PASSING: readonly number[] = [
  GRPC.cancelled,
  GRPC.unknown,
  GRPC.deadlineExceeded,
  GRPC.resourceExhausted,
  GRPC.aborted,
  GRPC.internal,
  GRPC.unavailable,
];

export function isGrpcFailure(error: unknown): error is GrpcFailure {
  const { code, details } = (error ?? {}) as Partial<GrpcFailure>;
  return typeof code === 'number' && typeof details === 'string';
}

/** Whether the same call may succeed a moment later: the connection broke, the leader changed, or the server is starting. */
export function mayPass(error: unknown): boolean {
  if (error instanceof ServerSilent) return true;
  if (!isGrpcFailure(error)) return false;
  return PASSING.includes(error.code) || exceptionOf(error) === 'not-leader';
}

/** Whether no server can have executed the request. */
export function wasNotTaken(error: unknown): boolean {
  if (error instanceof ServerSilent) return !error.wasSent;
  if (error instanceof StoreUnavailable) return true;
  if (isRefusal(error)) return true;
  return (
    isGrpcFailure(error) &&
    error.code === GRPC.unavailable &&
    /No connection established|Name resolution failed|before call started/i.test(error.details)
  );
}

/** Whether the channel is useless: it broke, or the server has ended its calls. */
export function isChannelLost(error: unknown): boolean {
  if (!isGrpcFailure(error)) return false;
  const { code, details } = error;
  if (code === GRPC.cancelled) return details !== CANCELLED_BY_US;
  return code === GRPC.unavailable || /write after end/.test(details);
}

/** `host:port` of the leader, from a node that does not lead and names the one that does. */
export function leaderNamedBy(error: unknown): string | undefined {
  if (!isGrpcFailure(error) || exceptionOf(error) !== 'not-leader') return undefined;
  const { 'leader-endpoint-host': host, 'leader-endpoint-port': port } = error.metadata?.getMap() ?? {};
  return typeof host === 'string' && typeof port === 'string' ? `${host}:${port}` : undefined;
}

/** Whether the error has no name of its own, as for a read from a position without an event. */
export function isUnknown(error: unknown): boolean {
  return isGrpcFailure(error) && error.code === GRPC.unknown;
}

/** Whether the server refused the request because of the user. It executed nothing then. */
export function isRefusal(error: unknown): boolean {
  if (!isGrpcFailure(error)) return false;
  const { code } = error;
  return (
    code === GRPC.unauthenticated || code === GRPC.permissionDenied || exceptionOf(error) === 'access-denied'
  );
}

/** The server's own name for the error, if it gives one. */
export function exceptionOf({ metadata }: GrpcFailure): string | undefined {
  const exception = metadata?.getMap()['exception'];
  return typeof exception === 'string' ? exception : undefined;
}
