import { plainToInstance, Transform } from 'class-transformer';
import {
  IsIn,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  validateSync,
} from 'class-validator';
import {
  DEFAULT_DATA_DIR,
  DEFAULT_PATIENCE_MS,
  DEFAULT_STREAM_PREFIX,
  InvalidSetting,
  SCHEMA_NAME,
} from './defaults.js';
import { IsHttpUrl } from './is-http-url.decorator.js';
import { IsPostgresUrl } from './is-postgres-url.decorator.js';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'log', 'debug', 'verbose'] as const;
/** The least severe line that a server logs. */
export type LogLevel = (typeof LOG_LEVELS)[number];

const PRIVATE_ADDRESSES = ['allow', 'refuse'] as const;

const DRIVE = ['on', 'off'] as const;

const MILLISECONDS = { message: 'it is no whole number of milliseconds from 100 to 600000' };

const CALL_MILLISECONDS = { message: 'it is no whole number of milliseconds from 100 to 3600000' };

const ATTEMPTS = { message: 'it is no whole number from 1 to 20' };

const PORT_RANGE = { message: 'it is no whole number from 0 to 65535' };

/** The settings that come from the environment. An empty variable counts as one that is not set. */
export class Environment {
  @IsInt(PORT_RANGE)
  @Min(0, PORT_RANGE)
  @Max(65_535, PORT_RANGE)
  @Transform(({ value }) => Number(value))
  PORT = 3000;

  @IsNotEmpty()
  HOST = '127.0.0.1';

  @IsNotEmpty()
  REDIAL_DATA_DIR = DEFAULT_DATA_DIR;

  @Matches(/^[A-Za-z0-9_]{0,64}$/, { message: 'it is at most 64 letters, digits and underscores' })
  REDIAL_STREAM_PREFIX = DEFAULT_STREAM_PREFIX;

  @IsInt(MILLISECONDS)
  @Min(100, MILLISECONDS)
  @Max(600_000, MILLISECONDS)
  @Transform(({ value }) => Number(value))
  REDIAL_PATIENCE_MS = DEFAULT_PATIENCE_MS;

  @IsInt(MILLISECONDS)
  @Min(100, MILLISECONDS)
  @Max(600_000, MILLISECONDS)
  @Transform(({ value }) => Number(value))
  REDIAL_REQUEST_PATIENCE_MS = 10_000;

  @IsOptional()
  @IsString()
  OPENAI_API_KEY?: string;

  @IsHttpUrl()
  OPENAI_BASE_URL = 'https://api.openai.com/v1';

  @IsOptional()
  @Matches(/^[\x21-\x7e]+$/, { message: 'a token is of printable characters without blanks' })
  REDIAL_API_TOKEN?: string;

  @IsIn(PRIVATE_ADDRESSES, { message: `it is none of ${PRIVATE_ADDRESSES.join(', ')}` })
  REDIAL_WEBHOOK_PRIVATE_ADDRESSES: (typeof PRIVATE_ADDRESSES)[number] = 'refuse';

  @IsIn(DRIVE, { message: `it is none of ${DRIVE.join(', ')}` })
  REDIAL_DRIVE: (typeof DRIVE)[number] = 'off';

  @IsOptional()
  @IsString()
  REDIAL_PRICES?: string;

  @IsOptional()
  @IsString()
  REDIAL_MCP_SERVERS?: string;

  @IsOptional()
  @IsString()
  REDIAL_PROVIDERS?: string;

  @IsOptional()
  @IsInt(ATTEMPTS)
  @Min(1, ATTEMPTS)
  @Max(20, ATTEMPTS)
  @Transform(({ value }) => Number(value))
  REDIAL_LLM_MAX_ATTEMPTS?: number;

  @IsOptional()
  @IsInt(CALL_MILLISECONDS)
  @Min(100, CALL_MILLISECONDS)
  @Max(3_600_000, CALL_MILLISECONDS)
  @Transform(({ value }) => Number(value))
  REDIAL_LLM_TIMEOUT_MS?: number;

  @IsIn(LOG_LEVELS, { message: `it is none of ${LOG_LEVELS.join(', ')}` })
  LOG_LEVEL: LogLevel = 'log';

  @IsOptional()
  @Matches(/^(esdb|kurrentdb)(\+discover)?:\/\/\S+$/, {
    message: 'it is no connection string like esdb://host:2113',
  })
  EVENTSTOREDB_URL?: string;

  @IsOptional()
  @IsPostgresUrl()
  DATABASE_URL?: string;

  @IsOptional()
  @Matches(SCHEMA_NAME, { message: 'it is not 1 to 63 letters, digits and underscores' })
  REDIAL_DATABASE_SCHEMA?: string;
}

/** Absent from a fresh `Environment`, so that its members do not name them. */
const WITHOUT_DEFAULT = [
  'OPENAI_API_KEY',
  'REDIAL_API_TOKEN',
  'REDIAL_PRICES',
  'REDIAL_MCP_SERVERS',
  'REDIAL_PROVIDERS',
  'REDIAL_LLM_MAX_ATTEMPTS',
  'REDIAL_LLM_TIMEOUT_MS',
  'EVENTSTOREDB_URL',
  'DATABASE_URL',
  'REDIAL_DATABASE_SCHEMA',
];

/** @throws InvalidSetting naming every setting that is wrong, never its value */
export function readEnvironment(variables: NodeJS.ProcessEnv): Environment {
  const names = Object.keys(new Environment());
  const known = [...names, ...WITHOUT_DEFAULT];
  const given = known.flatMap((name) => (variables[name] ? [[name, variables[name]] as const] : []));
  const environment = plainToInstance(Environment, Object.fromEntries(given));
  const problems = validateSync(environment, { stopAtFirstError: true }).map(
    ({ property, constraints = {} }) => `${property}: ${Object.values(constraints).join(', ')}`,
  );
  if (problems.length === 0) return environment;
  throw new InvalidSetting(
    'the environment',
    problems.join('; '),
    'Correct or unset these variables and start again',
  );
}
