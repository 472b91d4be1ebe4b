/** The one form of every message a person reads: `[ErrorClass] what: why. how to fix.` */
export function explain(errorClass: string, what: string, why: string, fix: string): string {
  return `[${errorClass}] ${what}: ${ended(why)} ${ended(fix)}`;
}

/** The message without its error class, for use within another message. */
export function withoutClass(message: string): string {
  return message.replace(/^\[\w+\] /, '');
}

function ended(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** The text of a thrown value of any kind. It does not throw. */
export function thrownText(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown);
  } catch {
    return 'Something that has no words was thrown.';
  }
}
