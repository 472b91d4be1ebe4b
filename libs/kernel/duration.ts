const FORM = /^P(?=.)(?:(\d+)W)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;
const MS = [604_800_000, 86_400_000, 3_600_000, 60_000, 1_000];

/** An ISO 8601 duration of weeks, days, hours, minutes and seconds: `PT48H`, `P1DT30M`. Months and years have no fixed length. */
export type Duration = string;

/** The duration in milliseconds; `undefined` if the text is not a duration. */
export function millisecondsOf(duration: Duration): number | undefined {
  const [, ...parts] = FORM.exec(duration) ?? [];
  if (parts.length === 0) return undefined;
  return MS.reduce((total, ms, index) => total + Number(parts[index] ?? 0) * ms, 0);
}

const SHORTEST_MS = 1_000;
const LONGEST_DAYS = 366;

/** The problem of a text as a time of a definition, which is from 1 s to 366 d; `undefined` if it has none. */
export function durationProblem(duration: Duration): string | undefined {
  const ms = millisecondsOf(duration);
  if (ms === undefined)
    return 'is no ISO 8601 duration of weeks, days, hours, minutes and seconds, such as PT4H';
  return ms < SHORTEST_MS || ms > LONGEST_DAYS * 86_400_000
    ? `is not from 1 s to ${LONGEST_DAYS} d`
    : undefined;
}
