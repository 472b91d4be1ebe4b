const EXCERPT = 500;

/** The beginning of a text that may be long, for messages. */
export function excerpt(text: string): string {
  return text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text;
}
