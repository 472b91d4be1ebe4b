/** Texts of numbers and times, the same on every page. No locale: a screenshot and a log line say the same. */

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** `312 ms`, `4.2 s`, `3 min 5 s`, `2 d 4 h`: two units at most. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  const at = UNITS.findIndex(([, size]) => ms >= size);
  const [unit, size] = UNITS[at] ?? UNITS[3];
  const whole = Math.floor(ms / size);
  const next = UNITS[at + 1];
  const rest = next ? Math.floor((ms - whole * size) / next[1]) : 0;
  return next && rest > 0 ? `${whole} ${unit} ${rest} ${next[0]}` : `${whole} ${unit}`;
}

/** How long ago, or in how long: `3 min ago`, `in 2 h`. */
export function relative(time: string, now: number): string {
  const ms = now - Date.parse(time);
  if (Math.abs(ms) < 10_000) return 'now';
  const text = duration(Math.abs(ms)).split(' ').slice(0, 2).join(' ');
  return ms > 0 ? `${text} ago` : `in ${text}`;
}

/** `2026-11-27 02:10:05`, in UTC as the log has it. */
export function timestamp(time: string): string {
  return time.slice(0, 19).replace('T', ' ');
}

/** In US dollars, with enough digits for small amounts. */
export function dollars(amount: number | undefined): string {
  if (amount === undefined) return '–';
  if (amount === 0) return '$0';
  return amount < 0.01 ? `$${amount.toPrecision(2)}` : `$${amount.toFixed(2)}`;
}

/** In groups of three digits with thin spaces: `12 400`. */
export function whole(value: number | undefined | null): string {
  return value === undefined || value === null
    ? '–'
    : String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, '\u202F');
}

/** `1 event`, `3 events`. */
export function count(amount: number, name: string): string {
  return `${whole(amount)} ${name}${amount === 1 ? '' : 's'}`;
}

/** A text of the API as a sentence. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  const end = trimmed === '' || /[.!?…]$/.test(trimmed) ? '' : '.';
  return `${capital(trimmed)}${end}`;
}

export function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** The name of a proposer or decider: the id of a specialist, or words for other deciders. */
export function decider(by: string, isHuman: boolean): string {
  if (isHuman) return `${by} (a person)`;
  return DECIDERS.get(by) ?? by;
}

const DECIDERS = new Map([
  ['default', 'the default arbiter'],
  ['operator', 'an operator'],
]);

/** The first part of an id, enough for people to compare. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}

/** A share from 0 to 1. */
export function percent(share: number | undefined | null): string {
  return share === undefined || share === null ? '–' : `${Math.round(share * 100)} %`;
}
