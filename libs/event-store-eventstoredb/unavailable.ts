import { thrownText } from '#lib/kernel';
import { StoreUnavailable } from '#lib/event-store';
import { exceptionOf, GRPC, type GrpcFailure, isGrpcFailure, isRefusal } from './grpc-failure.js';
import { ServerSilent } from './server-errors.js';

type WhyAndFix = readonly [applies: (failure: GrpcFailure) => boolean, why: string, fix: string];

const unreached =
  (details: RegExp) =>
  ({ code, details: text }: GrpcFailure) =>
    code === GRPC.unavailable && details.test(text);

const KNOWN: readonly WhyAndFix[] = [
  [
    isRefusal,
    'it refuses the credentials, or the user may not do this',
    'Check name and password in the connection string, and that the user may read $all and write the streams',
  ],
  [
    unreached(/certificate|altnames|UNABLE_TO/i),
    'its certificate is not trusted',
    'Name the file of its certificate authority with tlsCAFile=… in the connection string, and the host as in the certificate',
  ],
  [
    unreached(/wrong version number|SSL|EPROTO|protocol error|before secure TLS/i),
    'one side speaks TLS and the other does not',
    'Set tls=true or tls=false in the connection string as the server is set up',
  ],
  [
    unreached(/(?:)/),
    'it cannot be reached',
    'Check that it runs, that host and port are right, and that tls=true or tls=false fits it',
  ],
  [
    (failure) => exceptionOf(failure) === 'stream-deleted',
    'the stream was deleted there',
    'Restore it from a backup; streams of Redial must not be deleted',
  ],
  [
    ({ details }) => /append event size/i.test(details),
    'it takes no event that large',
    'Set MaxAppendEventSize of the server to 1 MiB or higher, or leave it out',
  ],
  [
    ({ details }) => /disk|not enough space|no space/i.test(details),
    'its disk is full or does not work',
    'Free space on its disk, look into its log, then try again',
  ],
];

/** Turns all failures of the server into StoreUnavailable. `server` holds no credentials. */
export function unavailable(what: string, server: string, cause: unknown): StoreUnavailable {
  if (cause instanceof StoreUnavailable) return cause;
  const [why, fix] = whyAndFix(cause);
  return new StoreUnavailable(`${what} EventStoreDB at ${server}`, why, fix, { cause });
}

/** The error of a connection without TLS to a server that speaks it. */
export function tlsExpected(server: string, cause: unknown): StoreUnavailable {
  return new StoreUnavailable(
    `cannot use EventStoreDB at ${server}`,
    'it speaks TLS, and the connection string says tls=false',
    'Set tls=true, and name the file of its certificate authority with tlsCAFile=… if it is your own',
    { cause },
  );
}

/** The error of an append with an unknown outcome: it may be stored. */
export function outcomeUnknown(server: string, cause: unknown): StoreUnavailable {
  const [why, fix] = whyAndFix(cause);
  return new StoreUnavailable(
    `the outcome of an append to EventStoreDB at ${server} is unknown`,
    why,
    `The same append may be repeated. ${fix}`,
    { cause },
  );
}

function whyAndFix(cause: unknown): readonly [why: string, fix: string] {
  if (cause instanceof ServerSilent) {
    return [
      `it is connected but gave ${cause.message}`,
      'Check its load, its disk and the network, then try again',
    ];
  }
  if (!isGrpcFailure(cause)) {
    return [`it failed (${thrownText(cause)})`, 'Check that it runs and look into its log'];
  }
  const [, why, fix] = KNOWN.find(([applies]) => applies(cause)) ?? [
    undefined,
    'it failed',
    'Look into its log, then try again',
  ];
  return [`${why} (${cause.details})`, fix];
}
