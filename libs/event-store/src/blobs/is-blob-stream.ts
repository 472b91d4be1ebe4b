/** The category of a name is what ends at its first dash; prefixes hold none, and machines may be called anything. */
const BLOB = /^[^-]*blob-/;

/**
 * Whether a stream holds a blob, by its name: `<prefix>blob-<hash>`, whatever the prefix. Stores leave these streams out of
 * what they show of the whole log.
 */
export function isBlobStream(stream: string): boolean {
  return BLOB.test(stream);
}
