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
const FORM = /^(esdb|esdb\+discover):\/\/(?:[^?]*@)?(?<hosts>[^?@]+?)\/*(?:\?(?<query>.*))?$/;

const HOST = /^[^\s:@,/]+(:\d{1,5})?$/;

/**
 * The servers a connection string names, as `host:port, host:port`: without credentials, fit for messages.
 * @throws StoreUnavailable for a text that is not a connection string, and for parameters the client does not know. Never quotes credentials.
 */
export function serverNames(connectionString: string): string {
  const { hosts, query = '' } = FORM.exec(connectionString.trim())?.groups ?? {};
  if (hosts === undefined || !hosts.split(',').every((host) => HOST.test(host))) {
    throw new StoreUnavailable(
      WHAT,
      'it does not have the form of one',
      'Write it as esdb://name:password@host:2113?tls=true, with %-codes for special characters in name and password',
    );
  }
  for (const parameter of query.split('&').filter((part) => part !== '')) checkParameter(parameter);
  return hosts
    .split(',')
    .map((host) => (host.includes(':') ? host : `${host}:2113`))
    .join(', ');
}

function checkParameter(parameter: string): void {
  const [name = '', value] = parameter.split('=');
  const known = name.trim().toLowerCase().replaceAll(/[_-]/g, '');
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
