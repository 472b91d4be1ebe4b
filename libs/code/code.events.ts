// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { DeclaredEvents } from '#lib/event-store';
import type { Event } from '#lib/kernel';
import type { CitationAt } from './citations.js';
import type { Element } from './components.rules.js';

/** A program sent a message to the user. The program continues once this event is recorded. Derived. */
export type MessageSent = Event<
  'MessageSent',
  Element & {
    /** The id of the program's call. */
    readonly messageId: string;
    /** The citations of its texts, without sources; the texts have no tags. Absent if there are none. */
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
