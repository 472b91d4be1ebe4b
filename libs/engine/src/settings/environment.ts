import { plainToInstance, Transform } from 'class-transformer';
import {
  IsEmpty,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  IsUrl,
  Matches,
  Max,
  Min,
  validateSync,
} from 'class-validator';
import { RedialError } from '#lib/kernel';

/** A setting with a value that cannot be used. Stops the start. */
export class InvalidSetting extends RedialError {}

const NOT_IN_THIS_VERSION = 'this version has the embedded engines only: leave it unset';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'log', 'debug', 'verbose'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The settings that come from the environment. An empty variable counts as one that is not set. */
export class Environment {
  @IsInt()
  @Min(0)
  @Max(65_535)
  @Transform(({ value }) => Number(value))
  PORT = 3000;

  @IsNotEmpty()
  HOST = '127.0.0.1';

  @IsNotEmpty()
  REDIAL_DATA_DIR = './.redial';

  @Matches(/^[A-Za-z0-9_]{0,64}$/, { message: 'it is at most 64 letters, digits and underscores' })
  REDIAL_STREAM_PREFIX = 'redial_';

  @IsOptional()
  @IsString()
  OPENAI_API_KEY?: string;

  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['http', 'https'] })
  OPENAI_BASE_URL = 'https://api.openai.com/v1';

  @IsOptional()
  @Matches(/^[\x21-\x7e]+$/, { message: 'a token is of printable characters without blanks' })
  REDIAL_API_TOKEN?: string;

  @IsIn(LOG_LEVELS)
  LOG_LEVEL: LogLevel = 'log';

  @IsEmpty({ message: NOT_IN_THIS_VERSION })
  EVENTSTOREDB_URL?: string;

  @IsEmpty({ message: NOT_IN_THIS_VERSION })
  DATABASE_URL?: string;
}

/** @throws InvalidSetting naming every setting that is wrong, never its value */
export function readEnvironment(variables: NodeJS.ProcessEnv): Environment {
  const names = Object.keys(new Environment());
  const known = [...names, 'OPENAI_API_KEY', 'REDIAL_API_TOKEN', 'EVENTSTOREDB_URL', 'DATABASE_URL'];
  const given = known.flatMap((name) => (variables[name] ? [[name, variables[name]] as const] : []));
  const environment = plainToInstance(Environment, Object.fromEntries(given));
  const problems = validateSync(environment).map(
    ({ property, constraints = {} }) => `${property}: ${Object.values(constraints).join(', ')}`,
  );
  if (problems.length === 0) return environment;
  throw new InvalidSetting(
    'the environment',
    problems.join('; '),
    'Correct or unset these variables and start again',
  );
}
