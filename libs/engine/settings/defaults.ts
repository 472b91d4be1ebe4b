import { RedialError } from '#lib/kernel';

/** A setting with a value that cannot be used. Stops the start. */
export class InvalidSetting extends RedialError {}

export const DEFAULT_DATA_DIR = './.redial';
export const DEFAULT_STREAM_PREFIX = 'redial_';
/** Milliseconds without a renewal after which another process takes over the runs and sessions of a dead one. */
export const LEASE_TTL_MS = 15_000;
/** The patience with a log on a server. */
export const DEFAULT_PATIENCE_MS = 30_000;
/** A name of a schema in a database. */
export const SCHEMA_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;
