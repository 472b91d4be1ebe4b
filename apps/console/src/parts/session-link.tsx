import { Link } from '@tanstack/react-router';
import { shortId } from './format.js';

/** The first part of the id of a session, with a link. */
export function SessionLink({ sessionId }: { readonly sessionId: string }) {
  return (
    <Link to="/sessions/$id" params={{ id: sessionId }} className="id">
      {shortId(sessionId)}
    </Link>
  );
}
