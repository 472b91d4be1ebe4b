import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { LogLocation } from '#lib/engine/core';
import { NoLog } from '#lib/event-store';
import { InvalidInput } from '../error-classes.js';

const URL = /^(?<scheme>[a-z][a-z+]*):\/\/(?:[^?]*@)?(?<hosts>[^?/]*)/i;
const SERVER = /^(esdb|kurrentdb)(\+discover)?$/;

/** The log that an argument names: the URL of an EventStoreDB, or the path of a SQLite file. @throws InvalidInput */
export function logLocationOf(text: string, streamPrefix: string): LogLocation {
  const scheme = URL.exec(text)?.groups?.['scheme'];
  if (scheme === undefined) return { eventStoreDbUrl: undefined, logFile: fileOf(text), streamPrefix };
  if (SERVER.test(scheme)) return { eventStoreDbUrl: text, logFile: '', streamPrefix };
  throw new InvalidInput(
    `no log can be at ${scheme}://…`,
    'logs are in EventStoreDB or in SQLite files',
    'Give a URL like esdb://host:2113?tls=true, or the path of a file',
  );
}

/** The address without credentials. */
export function nameOf({ eventStoreDbUrl, logFile }: LogLocation): string {
  if (eventStoreDbUrl === undefined) return resolve(logFile);
  const { scheme = '', hosts = '' } = URL.exec(eventStoreDbUrl)?.groups ?? {};
  return `${scheme}://${hosts}`;
}

/** Reading creates no files. @throws NoLog */
export function assertExists(location: LogLocation): void {
  if (location.eventStoreDbUrl !== undefined || existsSync(location.logFile)) return;
  const fix = 'Name the file of a log, or its folder with --data-dir';
  throw new NoLog(`there is no log ${nameOf(location)}`, 'the file does not exist', fix);
}

function fileOf(path: string): string {
  if (!isFolder(path)) return path;
  const fix = `Name the file, like ${join(path, 'log.sqlite')}`;
  throw new InvalidInput(`no log can be at ${path}`, 'it is a folder', fix);
}

/** False for a path that cannot be read, such as a link to itself: opening it gives the reason. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
