import { StoreUnavailable } from '#lib/event-store';

/** The options that the client knows. It warns of any other with the whole connection string, password included. */
const PARAMETERS = new Set([
  'usercertfile',
  'userkeyfile',
  'maxdiscoverattempts',
  'connectionname',
  'defaultdeadline',
  'discoveryinterval',
  'gossiptimeout',
  'nodepreference',
  'tls',
  'tlsverifycert',
  'tlscafile',
  'throwonappendfailure',
  'keepaliveinterval',
  'keepalivetimeout',
]);

const WHAT = 'cannot use the EventStoreDB connection string';
const FORM = /^(?<protocol>esdb|esdb\+discover):\/\/(?<user>[^?]*@)?(?<hosts>[^?@]+?)\/*(?:\?(?<query>.*))?$/;

const HOST = /^[^\s:@,/]+(:\d{1,5})?$/;

/** The client's own default. */
const GOSSIP_TIMEOUT_MS = 5_000;

/** The servers that a connection string names. */
export interface Servers {
  /** `host:port, host:port`: without credentials, fit for messages. */
  readonly names: string;
  /** One `host:port` for each server. */
  readonly endpoints: readonly string[];
  /** Whether the servers are asked for the leader. If not, the only server is used. */
  readonly areCluster: boolean;
  readonly gossipTimeoutMs: number;
  readonly withTls: boolean;
  /** A connection string with the same credentials to one node. */
  connectionStringTo(endpoint: string): string;
}

/** @throws StoreUnavailable for a text that is not a connection string, and for parameters the client does not know. Never quotes credentials. */
export function serversOf(connectionString: string): Servers {
  const { protocol, user = '', hosts, query = '' } = FORM.exec(connectionString.trim())?.groups ?? {};
  if (hosts === undefined || !hosts.split(',').every((host) => HOST.test(host))) {
    throw new StoreUnavailable(
      WHAT,
      'it does not have the form of one',
      'Write it as esdb://name:password@host:2113?tls=true, with %-codes for special characters in name and password',
    );
  }
  const parameters = query.split('&').filter((part) => part !== '');
  parameters.forEach(checkParameter);
  const endpoints = hosts.split(',').map((host) => (host.includes(':') ? host : `${host}:2113`));
  return {
    names: endpoints.join(', '),
    endpoints,
    areCluster: protocol === 'esdb+discover' || endpoints.length > 1,
    gossipTimeoutMs: gossipTimeoutMs(parameters),
    withTls: valueOf(parameters, 'tls') !== 'false',
    connectionStringTo: (endpoint) => `esdb://${user}${endpoint}${query === '' ? '' : `?${query}`}`,
  };
}

/** The time in milliseconds; the connection string has seconds. */
function gossipTimeoutMs(parameters: readonly string[]): number {
  const seconds = Number(valueOf(parameters, 'gossiptimeout'));
  return seconds > 0 ? seconds * 1_000 : GOSSIP_TIMEOUT_MS;
}

function valueOf(parameters: readonly string[], name: string): string | undefined {
  return parameters.find((parameter) => nameOf(parameter) === name)?.split('=')[1];
}

function nameOf(parameter: string): string {
  const [name = ''] = parameter.split('=');
  return name.trim().toLowerCase().replaceAll(/[_-]/g, '');
}

function checkParameter(parameter: string): void {
  const [name = '', value] = parameter.split('=');
  const known = nameOf(parameter);
  if (!PARAMETERS.has(known)) {
    throw new StoreUnavailable(
      WHAT,
      `the client has no setting ${JSON.stringify(name)}`,
      'Remove or correct it',
    );
  }
  if (known === 'tlsverifycert' && value === 'false') {
    throw new StoreUnavailable(
      WHAT,
      'tlsVerifyCert=false is of no effect in this client',
      "Remove it, and name the file of the server's certificate authority with tlsCAFile=…",
    );
  }
}
