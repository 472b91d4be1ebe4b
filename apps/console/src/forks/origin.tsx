import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { shortId } from '../parts/format.js';
import { Fact } from '../parts/page.js';

interface OriginProps {
  readonly list: '/sessions' | '/runs' | '/conversations';
  readonly id: string;
  readonly parentId: string;
  /** Its last shared revision is for the slider of the parent; absent if the border is no revision. */
  readonly from: { readonly revision?: number; readonly by: string; readonly reason?: string };
  /** Where the fork begins, without a revision. */
  readonly children?: ReactNode;
}

/** The parent of a fork, the place where the fork begins, and the link to both side by side. */
export function Origin({ list, id, parentId, from: { revision, by, reason }, children }: OriginProps) {
  return (
    <Fact name="Forked from">
      <Link
        to={`${list}/$id`}
        params={{ id: parentId }}
        search={revision === undefined ? {} : { at: String(revision) }}
        className="id"
      >
        {shortId(parentId)}
      </Link>{' '}
      {children ?? `after revision ${revision}`} by {by}
      {reason !== undefined && `: ${reason}`} (
      <Link to="/compare" search={{ a: parentId, b: id }}>
        compare both
      </Link>
      )
    </Fact>
  );
}

/** Opens a session, run or conversation beside another one, which is chosen on that page. */
export function CompareButton({ id }: { readonly id: string }) {
  const navigate = useNavigate();
  return (
    <button
      type="button"
      className="quiet-button"
      onClick={() => void navigate({ to: '/compare', search: { a: id } })}
    >
      Compare
    </button>
  );
}
