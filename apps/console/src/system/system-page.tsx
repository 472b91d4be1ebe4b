import { Page } from '../parts/page.js';
import { Hooks } from './hooks.js';
import { People } from './people.js';
import { Projections } from './projections.js';
import { Providers } from './providers.js';
import { Reactions } from './reactions.js';
import { Recovery } from './recovery.js';
import { Seals } from './seals.js';

/** The server itself: the parts that an operator needs first stand first. */
export function SystemPage() {
  return (
    <Page title="System" outside={{ path: '/recovery', command: ['recovery', 'list'] }}>
      <Recovery />
      <Reactions />
      <Hooks />
      <Seals />
      <People />
      <Providers />
      <Projections />
    </Page>
  );
}
