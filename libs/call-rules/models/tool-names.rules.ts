import { sha256 } from '#lib/kernel';

const LEGAL = /^[a-zA-Z0-9_-]{1,64}$/;
const LONGEST = 64;

/** The sent name of a tool, and its registered name. */
export type ToolNames = { readonly [sent: string]: string };

/**
 * The names under which tools are sent: their own names, if providers take them; else names made of the own name and its hash. No two tools have the
 * same sent name.
 */
export function toolNames(names: readonly string[]): ToolNames {
  const sent = new Map(names.filter((name) => LEGAL.test(name)).map((name) => [name, name]));
  for (const name of names) if (!LEGAL.test(name)) sent.set(freeName(name, sent), name);
  return Object.fromEntries(sent);
}

/** The names that differ from their sent names; absent if there are none. */
export function changedNames(names: ToolNames): { readonly toolNames?: ToolNames } {
  const changed = Object.entries(names).filter(([sent, name]) => sent !== name);
  return changed.length > 0 ? { toolNames: Object.fromEntries(changed) } : {};
}

function freeName(name: string, taken: ReadonlyMap<string, string>, digits = 8): string {
  const hash = sha256(name).slice(0, digits);
  const stem = name.replace(/[^a-zA-Z0-9_-]+/g, '_').slice(0, LONGEST - digits - 1);
  const free = `${stem}_${hash}`;
  return taken.has(free) ? freeName(name, taken, digits + 1) : free;
}
