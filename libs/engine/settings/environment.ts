import {
  DEFAULT_DATA_DIR,
  DEFAULT_PATIENCE_MS,
  DEFAULT_STREAM_PREFIX,
  InvalidSetting,
  SCHEMA_NAME,
} from './defaults.js';

// Loads no package: every command of the CLI reads the environment first.

const LOG_LEVELS = ['fatal', 'error', 'warn', 'log', 'debug', 'verbose'] as const;
/** The least severe line that a server logs. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The settings that come from the environment. An empty variable counts as one that is not set. */
export interface Environment {
  readonly PORT: number;
  readonly HOST: string;
  readonly REDIAL_DATA_DIR: string;
  readonly REDIAL_STREAM_PREFIX: string;
  readonly REDIAL_PATIENCE_MS: number;
  readonly REDIAL_REQUEST_PATIENCE_MS: number;
  readonly OPENAI_API_KEY?: string;
  readonly OPENAI_BASE_URL: string;
  readonly REDIAL_API_TOKEN?: string;
  readonly REDIAL_CONSOLE: 'on' | 'off';
  readonly REDIAL_BASE_PATH: string;
  readonly REDIAL_WEBHOOK_PRIVATE_ADDRESSES: 'allow' | 'refuse';
  readonly REDIAL_DRIVE: 'on' | 'off';
  readonly REDIAL_PRICES?: string;
  readonly REDIAL_MCP_SERVERS?: string;
  readonly REDIAL_PROVIDERS?: string;
  readonly REDIAL_LLM_MAX_ATTEMPTS?: number;
  readonly REDIAL_LLM_TIMEOUT_MS?: number;
  readonly LOG_LEVEL: LogLevel;
  readonly EVENTSTOREDB_URL?: string;
  readonly DATABASE_URL?: string;
  readonly REDIAL_DATABASE_SCHEMA?: string;
}

const DEFAULTS: Environment = {
  PORT: 3000,
  HOST: '127.0.0.1',
  REDIAL_DATA_DIR: DEFAULT_DATA_DIR,
  REDIAL_STREAM_PREFIX: DEFAULT_STREAM_PREFIX,
  REDIAL_PATIENCE_MS: DEFAULT_PATIENCE_MS,
  REDIAL_REQUEST_PATIENCE_MS: 10_000,
  OPENAI_BASE_URL: 'https://api.openai.com/v1',
  REDIAL_WEBHOOK_PRIVATE_ADDRESSES: 'refuse',
  REDIAL_DRIVE: 'off',
  REDIAL_CONSOLE: 'on',
  REDIAL_BASE_PATH: '/',
  LOG_LEVEL: 'log',
};

/** A message with the expected form of a value. It never shows the value, which may hold a secret. */
interface Wrong {
  readonly wrong: string;
}
type Reader<T> = (text: string) => T | Wrong;

const READERS: { readonly [Name in keyof Required<Environment>]: Reader<NonNullable<Environment[Name]>> } = {
  PORT: whole(0, 65_535, 'number'),
  HOST: (text) => text,
  REDIAL_DATA_DIR: (text) => text,
  REDIAL_STREAM_PREFIX: matching(/^[A-Za-z0-9_]{0,64}$/, 'it is at most 64 letters, digits and underscores'),
  REDIAL_PATIENCE_MS: whole(100, 600_000, 'number of milliseconds'),
  REDIAL_REQUEST_PATIENCE_MS: whole(100, 600_000, 'number of milliseconds'),
  OPENAI_API_KEY: (text) => text,
  // Host names need not be domain names: containers are called `llm_server`.
  OPENAI_BASE_URL: url(/^https?:\/\/\S+$/i, 'it is not an http or https URL'),
  REDIAL_API_TOKEN: matching(/^[\x21-\x7e]+$/, 'a token is of printable characters without blanks'),
  REDIAL_WEBHOOK_PRIVATE_ADDRESSES: oneOf('allow', 'refuse'),
  REDIAL_DRIVE: oneOf('on', 'off'),
  REDIAL_CONSOLE: oneOf('on', 'off'),
  REDIAL_BASE_PATH: matching(/^(?:\/[\w.~-]+)*\/?$/, 'it is not a path such as /redial'),
  REDIAL_PRICES: (text) => text,
  REDIAL_MCP_SERVERS: (text) => text,
  REDIAL_PROVIDERS: (text) => text,
  REDIAL_LLM_MAX_ATTEMPTS: whole(1, 20, 'number'),
  REDIAL_LLM_TIMEOUT_MS: whole(100, 3_600_000, 'number of milliseconds'),
  LOG_LEVEL: oneOf(...LOG_LEVELS),
  EVENTSTOREDB_URL: matching(
    /^(esdb|kurrentdb)(\+discover)?:\/\/\S+$/,
    'it is not a connection string such as esdb://host:2113',
  ),
  DATABASE_URL: url(
    /^postgres(ql)?:\/\/\S+$/,
    'it is not a URL such as postgres://user:password@host:5432/database, with other characters percent-encoded',
  ),
  REDIAL_DATABASE_SCHEMA: matching(SCHEMA_NAME, 'it is not 1 to 63 letters, digits and underscores'),
};

const PREFIX = 'REDIAL_';
/** Variables with the prefix that only the command line reads. */
const OF_COMMANDS = [
  'REDIAL_URL',
  'REDIAL_ACTOR_TOKEN',
  'REDIAL_MCP_PROFILE',
  'REDIAL_COPY_TO',
  'REDIAL_COPY_FROM',
];

/** @throws InvalidSetting naming every setting that is wrong or misspelt, never its value */
export function readEnvironment(variables: NodeJS.ProcessEnv): Environment {
  const read = Object.entries(READERS).flatMap(([name, reader]) => {
    const text = variables[name];
    return text ? [[name, reader(text)] as const] : [];
  });
  const wrong = read.flatMap(([name, value]) =>
    typeof value === 'object' ? [`${name}: ${value.wrong}`] : [],
  );
  const problems = [...wrong, ...misspelt(Object.keys(variables))];
  if (problems.length === 0) return { ...DEFAULTS, ...Object.fromEntries(read) };
  throw new InvalidSetting(
    'the environment',
    problems.join('; '),
    'Correct or unset these variables and start again',
  );
}

/** Other variables may have the prefix: those that `webhookTokenName` and `apiKeyEnv` name. */
function misspelt(variables: readonly string[]): readonly string[] {
  const known = [...Object.keys(READERS), ...OF_COMMANDS].filter((name) => name.startsWith(PREFIX));
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
 * A text, and the texts that it becomes when one letter is left out or two neighbours are swapped. Another letter or one more
 * makes the name of another thing: REDIAL_APP_TOKEN, REDIAL_API_TOKEN_2.
 */
function slipsOf(text: string): readonly string[] {
  const slips = Array.from(text, (letter, at) => {
    const [before, after] = [text.slice(0, at), text.slice(at + 1)];
    return [before + after, before + after.slice(0, 1) + letter + after.slice(1)];
  });
  return [text, ...slips.flat()];
}

function whole(from: number, to: number, what: string): Reader<number> {
  return (text) => {
    const value = Number(text);
    const isOne = Number.isInteger(value) && value >= from && value <= to;
    return isOne ? value : { wrong: `it is not a whole ${what} from ${from} to ${to}` };
  };
}

function matching(pattern: RegExp, wrong: string): Reader<string> {
  return (text) => (pattern.test(text) ? text : { wrong });
}

function url(pattern: RegExp, wrong: string): Reader<string> {
  return (text) => (pattern.test(text) && URL.canParse(text) ? text : { wrong });
}

function oneOf<T extends string>(...values: readonly T[]): Reader<T> {
  return (text) =>
    values.find((value) => value === text) ?? { wrong: `it is not one of ${values.join(', ')}` };
}
