// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { DeclaredEvents } from '#lib/event-store';
import type { Event } from '#lib/kernel';
import type { CitationAt } from './citations.js';
import type { Element } from './components.rules.js';

/** A program sent a message to the user: it continues once this is recorded. Derived. */
export type MessageSent = Event<
  'MessageSent',
  Element & {
    /** The call of the program. */
    readonly messageId: string;
    /** The citations of its texts, which have no tags; without sources. Absent if nothing is cited. */
    readonly citations?: readonly CitationAt[];
  }
>;

export const codeEventDefinitions: DeclaredEvents<MessageSent> = {
  MessageSent: {
    version: 1,
    members: {
      messageId: 'structure',
      component: 'structure',
      props: 'content',
      children: 'content',
      citations: 'content',
    },
  },
};
