import { jsonText, reject, type Rejection } from '#lib/kernel';

/** An opaque text that names the position in a list after which the next page starts. */
export function writeCursor(list: string, key: string): string {
  return Buffer.from(jsonText([list, key])).toString('base64url');
}

/** The key in a cursor of this list, or a refusal. */
export function readCursor(list: string, cursor: string): string | Rejection {
  const [of, key] = parsed(cursor);
  return of === list && typeof key === 'string' ? key : invalidCursor();
}

function parsed(cursor: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** The refusal of a cursor that a list cannot read. */
export function invalidCursor(): Rejection {
  const text = {
    errorClass: 'InvalidCursor',
    what: 'the cursor',
    why: 'it is not one that this list gave',
    fix: 'Send back nextCursor exactly as it came, or leave it out to start from the beginning',
  };
  return reject('malformed', 'invalid-cursor', text, [
    { path: '/cursor', message: 'is not a cursor that this list gave' },
  ]);
}
