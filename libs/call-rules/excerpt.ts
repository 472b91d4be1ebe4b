const EXCERPT = 500;

/** Characters that are kept of a message of a function, a webhook or a tool of an application. */
export const LONGEST_MESSAGE = 2_000;

/** The beginning of a text that may be long, for messages. */
export function excerpt(text: string, most = EXCERPT): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
