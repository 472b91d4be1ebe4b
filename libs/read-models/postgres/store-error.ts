import { StoreUnavailable } from '#lib/event-store';
import { DatabaseError } from 'pg';
import { ChangeRefused } from '../store/read-store.js';

type WhyAndFix = readonly [codes: RegExp, why: string, fix: string];

/** By SQLSTATE, and by the codes of Node's sockets. The server's message is left out: it may name the user. */
const KNOWN: readonly WhyAndFix[] = [
  [/^28/, 'it refused the user or the password', 'Check the user and the password in DATABASE_URL'],
  [/^3D000/, 'the database does not exist', 'Create the database, or correct its name in DATABASE_URL'],
  [
    /^(3F000|42501)/,
    'the user may not do this',
    'Grant the user the right to create and use tables in this database',
  ],
  [/^53300/, 'it has too many connections', 'Raise max_connections, or run fewer processes'],
  [/^53/, 'its disk or its memory is full', 'Free space on its disk, then try again'],
  [
    /^57P05/,
    'it ended a transaction in which this process stood still',
    'No action is needed: the work is done again',
  ],
  [/^(57P|55006)/, 'it is starting or stopping', 'Wait until it runs, then try again'],
  [/^25006/, 'it can only be read', 'Name the server that takes writes in DATABASE_URL'],
  [
    /^(40|55P03|57014)/,
    'it gave up waiting for other transactions',
    'Try again; if that does not help, look for long transactions',
  ],
  [/^(58|XX)/, 'the server failed', 'Look into the log of the server'],
  [
    /^(ENOTFOUND|EAI_AGAIN)/,
    'no such host is known',
    'Check the host in DATABASE_URL and the name resolution of this machine',
  ],
  [
    /^(DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|CERT_|ERR_TLS)/,
    'the certificate of the server is not trusted',
    'Check sslmode and sslrootcert in DATABASE_URL',
  ],
];
const UNREACHABLE: WhyAndFix = [
  /^/,
  'it cannot be reached, or the connection broke',
  'Check that the server runs, that host and port are right, and that no firewall blocks the connection',
];

/** The message of a `pg-pool` error without a code. */
const POOL_IS_BUSY = 'timeout exceeded when trying to connect';
const BUSY: WhyAndFix = [
  /^/,
  'none of the connections of this process became free in time',
  'Try again; if that does not help, look for long transactions',
];

/** Classes of SQLSTATE for a row that its table refuses: a value, a constraint, a text too long for an index. */
const REFUSED = /^(22|23|54000)/;
/** Classes of errors that only a bug of Redial can cause: they are thrown unchanged. */
const BUG = /^(?!42501)(0A|2[1467]|42)/;

/** Turns all failures of PostgreSQL and of the connection into StoreUnavailable. `what` names the address. */
export function storeErrorOf(what: string, error: unknown): unknown {
  const { code = '' } = error as { code?: string };
  if (error instanceof Error && error.message === POOL_IS_BUSY) return unavailable(what, '', BUSY);
  if (!(error instanceof DatabaseError)) return unavailable(what, code);
  if (REFUSED.test(code)) {
    return new ChangeRefused(what, error.message, 'Look at the event that led to this row', { cause: error });
  }
  return BUG.test(code) ? error : unavailable(what, code);
}

function unavailable(what: string, code: string, otherwise = UNREACHABLE): StoreUnavailable {
  const [, why, fix] = KNOWN.find(([codes]) => codes.test(code)) ?? otherwise;
  return new StoreUnavailable(what, code === '' ? why : `${why} (${code})`, fix);
}
