/** A word as a POSIX shell takes it. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** The command that reads what a page shows. The token is named, and never shown. */
export function curlOf(url: string, needsToken: boolean): string {
  const header = needsToken ? `-H "Authorization: Bearer $REDIAL_API_TOKEN" ` : '';
  return `curl ${header}${shellWord(url)}`;
}

/** The same with the command line of Redial, which reads the token from the environment. */
export function commandOf(server: string, words: readonly string[]): string {
  return [`REDIAL_URL=${shellWord(server)}`, 'redial', ...words.map(shellWord)].join(' ');
}
