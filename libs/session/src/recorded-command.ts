import { type JsonObject, jsonText, sha256 } from '#lib/kernel';
import type { CloseSolicitation, CreateSession, SessionCommand } from './session.commands.js';
import type { SessionEvent } from './session.events.js';

// The command kept in an event names by hash what the event itself holds, so a large value is stored once.

/** A hash in place of a shorter text would be no shorter. */
const SHORTEST = 160;

export function recordedCommand(command: SessionCommand, events: readonly SessionEvent[]): object {
  if (command.type === 'CreateSession') return withoutMachine(command);
  return command.type === 'CloseSolicitation' ? withoutMetaJson(command, events) : command;
}

export function rebuiltCommand(recorded: SessionCommand, events: readonly SessionEvent[]): SessionCommand {
  if (recorded.type === 'CreateSession') return withMachine(recorded, events);
  return recorded.type === 'CloseSolicitation' ? withMetaJson(recorded, events) : recorded;
}

/** The event holds the machine and what was decided earlier. */
function withoutMachine({ type, data: { machine: _, earlier: _earlier, ...data } }: CreateSession): object {
  return { type, data };
}

function withMachine(recorded: CreateSession, [created]: readonly SessionEvent[]): SessionCommand {
  if (created?.type !== 'SessionCreated') return recorded;
  const { machine, earlier } = created.data;
  return { ...recorded, data: { ...recorded.data, machine, ...(earlier && { earlier }) } };
}

/** When the caller gave a `metaJson`, the event holds that one, and the command keeps the choice's. */
function withoutMetaJson(command: CloseSolicitation, events: readonly SessionEvent[]): object {
  const text = metaJsonText(events);
  return withChoice(command, (name, value) => {
    const isHeld = name === 'metaJson' && text !== undefined && jsonText(value) === text;
    return isHeld && text.length >= SHORTEST ? ['metaJsonSha256', sha256(text)] : [name, value];
  });
}

function withMetaJson(recorded: CloseSolicitation, events: readonly SessionEvent[]): CloseSolicitation {
  const text = metaJsonText(events);
  return withChoice(recorded, (name, value) => {
    const isHeld = name === 'metaJsonSha256' && text !== undefined && value === sha256(text);
    return isHeld ? ['metaJson', JSON.parse(text)] : [name, value];
  });
}

/** Each member stays in its place: the order of members has meaning. */
function withChoice(
  command: CloseSolicitation,
  map: (name: string, value: unknown) => [string, unknown],
): CloseSolicitation {
  const { result } = command.data;
  if (!('choice' in result)) return command;
  const members = Object.entries(result.choice).map(([name, value]) => map(name, value));
  const choice = Object.fromEntries(members) as typeof result.choice;
  return { ...command, data: { ...command.data, result: { choice } } };
}

function metaJsonText([first]: readonly SessionEvent[]): string | undefined {
  const { metaJson } = (first?.data ?? {}) as { readonly metaJson?: JsonObject };
  return metaJson && jsonText(metaJson);
}
