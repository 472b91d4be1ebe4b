/** The tokens that were just made for people, by their id. */
export function actorTokenLines(
  actorTokens: { readonly [specialistId: string]: string } = {},
): readonly string[] {
  return Object.entries(actorTokens).map(
    ([specialistId, token]) =>
      `token of ${specialistId}, given only now: it proves over HTTP who acts as that person: ${token}`,
  );
}
