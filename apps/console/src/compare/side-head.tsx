import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { capital, shortId } from '../parts/format.js';
import type { Kind } from './kinds.js';

interface SideHeadProps {
  readonly name: 'a' | 'b';
  readonly kind: Kind;
  readonly id: string;
  readonly about?: string;
  readonly children?: ReactNode;
}

/** The heading of one side, with its link. */
export function SideHead({ name, kind, id, about, children }: SideHeadProps) {
  const title = capital(kind);
  return (
    <section aria-label={`${title} ${name}`} className={`compared-head ${name}`}>
      <h2>
        <Link to={`/${kind}s/$id`} params={{ id }}>
          {title} {shortId(id)}
        </Link>
      </h2>
      {about !== undefined && <p className="dim cut">{about}</p>}
      <p className="fact-line">{children}</p>
    </section>
  );
}
