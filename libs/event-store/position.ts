import { RedialError } from '#lib/kernel';

declare const brand: unique symbol;

/**
 * A position in one log: `<logId>.<20 digits>`. Opaque to callers; two positions of one log compare as text. 20 digits hold every unsigned 64-bit
 * number, so each adapter can use this form.
 */
export type Position = string & { readonly [brand]: 'Position' };

/** A log cannot have this name. Positions are `<logId>.<digits>`, so a name must have no dot. */
export class InvalidLogId extends RedialError {}

/** A text that is no position, or a position of another log. */
export class ForeignPosition extends RedialError {
  override readonly answer = {
    status: 400,
    code: 'foreign-position',
    errors: [{ path: '/minPosition', message: 'is not a position of this log' }],
  };
}

const DIGITS = 20;

/** Refuses a name that would make positions ambiguous. @throws InvalidLogId */
export function checkLogId(logId: string): void {
  if (logId !== '' && !logId.includes('.')) return;
  throw new InvalidLogId(
    `log id ${JSON.stringify(logId)} cannot be used`,
    'it is empty or holds a dot',
    'Use another name for the log',
  );
}

/** The position as text. Texts sort as positions do. */
export function formatPosition(logId: string, sequence: number | bigint): Position {
  return `${logId}.${sequence.toString().padStart(DIGITS, '0')}` as Position;
}

/** The number in a position of this log. @throws ForeignPosition */
export function sequenceOf(logId: string, position: string): bigint {
  return BigInt(parsePosition(logId, position).slice(logId.length + 1));
}

/** Takes a text from outside as a position of this log. @throws ForeignPosition */
export function parsePosition(logId: string, text: string): Position {
  const digits = text.startsWith(`${logId}.`) ? text.slice(logId.length + 1) : '';
  if (digits.length !== DIGITS || !/^\d+$/.test(digits)) throw foreignPosition(text);
  return text as Position;
}

/** The error for a position at which the log has no event and can have none. Not every log can tell. */
export function noPosition(logId: string, sequence: bigint): ForeignPosition {
  return foreignPosition(formatPosition(logId, sequence));
}

function foreignPosition(text: string): ForeignPosition {
  return new ForeignPosition(
    `position ${JSON.stringify(text.slice(0, 80))} cannot be used`,
    'it is not a position of this log',
    'Send back a position exactly as an answer of this server gave it',
  );
}
