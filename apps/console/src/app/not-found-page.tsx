import { Link } from '@tanstack/react-router';
import { Page } from '../parts/page.js';

export function NotFoundPage() {
  return (
    <Page title="There is no such page">
      <p>
        The address is wrong, or of a part that this version does not have. <Link to="/">Overview</Link>
      </p>
    </Page>
  );
}

/** An id that the server does not know. */
export function UnknownThing({ kind, id, list }: { kind: string; id: string; list: string }) {
  return (
    <Page title={`Unknown ${kind}`}>
      <p>
        There is no {kind} <code>{id}</code> here. <Link to={list}>All {kind}s</Link>
      </p>
    </Page>
  );
}
