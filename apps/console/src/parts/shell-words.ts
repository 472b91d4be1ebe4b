/** A word as a POSIX shell takes it. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** The command that reads the content of a page. The variable of the token is named, and its value never shown. */
export function curlOf(url: string, needsToken: boolean): string {
  const header = needsToken ? `-H "Authorization: Bearer $REDIAL_API_TOKEN" ` : '';
  return `curl ${header}${shellWord(url)}`;
}

/** `curlOf` with the command line of Redial. */
export function commandOf(server: string, words: readonly string[], needsToken: boolean): string {
  const token = needsToken ? ['REDIAL_API_TOKEN="$REDIAL_API_TOKEN"'] : [];
  return [`REDIAL_URL=${shellWord(server)}`, ...token, 'redial', ...words.map(shellWord)].join(' ');
}
