import { readFileSync } from 'node:fs';
import type { InvalidSetting } from './defaults.js';

/** The JSON in a file that a setting names. @param invalid the error that says why there is none */
export function readSettingFile(path: string, invalid: (why: string) => InvalidSetting): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw invalid(
      error instanceof SyntaxError ? 'its file is not JSON' : `its file cannot be read (${code})`,
    );
  }
}
