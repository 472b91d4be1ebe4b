import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { reportJson, type ResultsDocument, updated } from './report-json.js';

/** Adds the results to the file of the release. */
export function saveResults(file: string, now: ResultsDocument): void {
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ResultsDocument) : now;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, reportJson(updated(before, now)));
}
