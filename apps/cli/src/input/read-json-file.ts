import { readFile } from 'node:fs/promises';
import { oneLine } from '../format/one-line.js';
import { InvalidInput } from '../error-classes.js';

/** The value in a JSON file. @throws InvalidInput saying whether the file or what is in it is at fault */
export async function readJsonFile(file: string): Promise<unknown> {
  const text = await readText(file);
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new InvalidInput(
      file,
      `it is not JSON: ${placed(text, oneLine(messageOf(error)))}`,
      'Correct it there and try again',
    );
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new InvalidInput(file, 'there is no such file', 'Check the path');
    throw new InvalidInput(
      file,
      `it cannot be read (${code ?? messageOf(error)})`,
      'Name a file that you may read',
    );
  }
}

/** JSON.parse counts characters, where it counts at all; people count lines. */
function placed(text: string, message: string): string {
  const [, place] = /at position (\d+)/.exec(message) ?? [];
  if (place === undefined || message.includes('line ')) return message;
  const before = text.slice(0, Number(place)).split('\n');
  return `${message} (line ${before.length} column ${(before.at(-1) ?? '').length + 1})`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
