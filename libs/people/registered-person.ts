import { fold, type RecordedEvent } from '#lib/kernel';
import { personDecider } from './people.decider.js';
import type { PersonEvent } from './people.events.js';
import type { PersonView } from './people.views.js';

/** The person after these events of their stream; `undefined` before the registration and after the deletion. */
export function personAfter(events: readonly RecordedEvent<PersonEvent>[]): PersonView | undefined {
  const person = fold(personDecider, events);
  const registered = events.findLast(({ type }) => type === 'PersonRegistered');
  if (!person || !registered) return undefined;
  const { tokenHash: _, ...shown } = person;
  return { ...shown, createdAt: registered.occurredAt };
}
