/** The one form of every message a person reads: `[ErrorClass] what: why. how to fix.` */
export function explain(errorClass: string, what: string, why: string, fix: string): string {
  return `[${errorClass}] ${what}: ${ended(why)} ${ended(fix)}`;
}

function ended(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
