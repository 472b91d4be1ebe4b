import { OPTIONS } from './redial-options.js';
import { anyText, matching, milliseconds, oneOf, url, whole } from './readers.js';
import { InvalidSetting, settingsIn, variable, type VariablesOf } from './setting.js';

// Loads no package: every command of the CLI reads the environment first.

/** The least severe line that a server logs. */
export type LogLevel = Environment['LOG_LEVEL'];

const file = { ...anyText, form: 'the path of a JSON file' };
const token = matching(/^[\x21-\x7e]+$/, 'a text of printable characters without blanks');

/** How long a store may take within a request, unless a setting says otherwise. */
export const REQUEST_PATIENCE_MS = 10_000;

/** Settings of servers and commands, besides those that are options, too. The comments are lines of the table in docs/operations.md. */
export const VARIABLES = {
  /** Where the server listens. */
  port: variable('PORT', whole(0, 65_535), 3000),
  /** The address where the server listens; beyond loopback only with a token. */
  host: variable('HOST', anyText, '127.0.0.1'),
  /** Bearer token of an operator; with it, acting as a human needs that human's own token. */
  apiToken: variable('REDIAL_API_TOKEN', token),
  /** As `patienceMs`, within a request to the server. */
  requestPatienceMs: variable('REDIAL_REQUEST_PATIENCE_MS', milliseconds(100, 600_000), REQUEST_PATIENCE_MS),
  /** `off`: the console is not served. */
  console: variable('REDIAL_CONSOLE', oneOf('on', 'off'), 'on'),
  /** The path below which clients find the server; a proxy can also give it in `X-Forwarded-Prefix`. */
  basePath: variable('REDIAL_BASE_PATH', matching(/^(?:\/[\w.~-]+)*\/?$/, 'a path such as /redial'), '/'),
  /** `drive.enabled`. */
  drive: variable('REDIAL_DRIVE', oneOf('on', 'off'), 'off'),
  /** `prices`: the prices of models, see [Prices](#prices). */
  prices: variable('REDIAL_PRICES', file),
  /** `mcpServers`, in the form that MCP clients use. */
  mcpServers: variable('REDIAL_MCP_SERVERS', file),
  /** `providers`: more APIs of models by name, see [Models](#models). */
  providers: variable('REDIAL_PROVIDERS', file),
  /** The least severe line that a server logs. */
  logLevel: variable('LOG_LEVEL', oneOf('fatal', 'error', 'warn', 'log', 'debug', 'verbose'), 'log'),
};

/** The variables that only the command line reads, where it uses them. */
export const OF_COMMANDS = {
  /** The server that commands go to, in place of an engine of their own. */
  url: variable('REDIAL_URL', url(/^https?:\/\/\S+$/i, 'an http or https URL')),
  /** The person for whom the CLI, or a model over MCP on standard input, acts. */
  actorToken: variable('REDIAL_ACTOR_TOKEN', anyText),
  /** The rights of a model over MCP. */
  mcpProfile: variable('REDIAL_MCP_PROFILE', oneOf('observe', 'propose', 'operate'), 'observe'),
  /** The destination of `log copy`: a URL or the path of a file. */
  copyTo: variable('REDIAL_COPY_TO', anyText),
  /** The log that `log copy` copies, if not that of the settings. */
  copyFrom: variable('REDIAL_COPY_FROM', anyText),
};

/** The settings from the environment. An empty variable counts as unset. */
export interface Environment extends VariablesOf<typeof OPTIONS>, VariablesOf<typeof VARIABLES> {}

const PREFIX = 'REDIAL_';
const SETTINGS = { VARIABLES, OPTIONS };

/** @throws InvalidSetting with the name of every invalid or misspelt setting, never its value */
export function readEnvironment(variables: NodeJS.ProcessEnv): Environment {
  const read = settingsIn(SETTINGS).flatMap(({ variable: name, reader, default: byDefault }) => {
    if (typeof name !== 'string' || !reader) return [];
    const text = variables[name];
    return [{ name, form: reader.form, text, value: text ? reader.read(text) : byDefault }];
  });
  const wrong = read.flatMap(({ name, form, text, value }) =>
    text && value === undefined ? [`${name}: it is not ${form}`] : [],
  );
  const problems = [...wrong, ...misspelt(Object.keys(variables))];
  if (problems.length > 0) {
    const fix = 'Correct or unset these variables and start again';
    throw new InvalidSetting('the environment', problems.join('; '), fix);
  }
  const values: object = Object.fromEntries(read.map(({ name, value }) => [name, value]));
  return values as Environment;
}

/** Other variables may have the prefix: those that `webhookTokenName` and `apiKeyEnv` name. */
function misspelt(variables: readonly string[]): readonly string[] {
  const known = settingsIn({ ...SETTINGS, OF_COMMANDS })
    .map(({ variable: name }) => String(name))
    .filter((name) => name.startsWith(PREFIX));
  return variables
    .filter((name) => name.startsWith(PREFIX) && !known.includes(name))
    .flatMap((name) => {
      const meant = known.find((setting) => slipsOf(lettersOf(setting)).includes(lettersOf(name)));
      return meant === undefined ? [] : [`${name}: there is no such setting; did you mean ${meant}?`];
    });
}

function lettersOf(name: string): string {
  return name.slice(PREFIX.length).replaceAll('_', '').toUpperCase();
}

/**
 * A text, and the texts that it becomes when one letter is left out or two neighbours are swapped. A changed or added letter makes another
 * name: REDIAL_APP_TOKEN, REDIAL_API_TOKEN_2.
 */
function slipsOf(text: string): readonly string[] {
  const slips = Array.from(text, (letter, at) => {
    const [before, after] = [text.slice(0, at), text.slice(at + 1)];
    return [before + after, before + after.slice(0, 1) + letter + after.slice(1)];
  });
  return [text, ...slips.flat()];
}
