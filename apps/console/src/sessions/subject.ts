const LONGEST = 160;

/** The subject of a session in a line: the values of its `metaJson`. */
export function subjectOf(metaJson: object | undefined): string {
  if (!metaJson) return '';
  const parts = Object.entries(metaJson).map(([name, value]) =>
    typeof value === 'string' ? value : `${name} ${JSON.stringify(value)}`,
  );
  return parts.join(' · ').slice(0, LONGEST);
}
