import { Link, useLocation } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { server } from '../data/server.js';

const PLACES = [
  ['/', 'Overview'],
  ['/tasks', 'Tasks'],
  ['/sessions', 'Sessions'],
  ['/runs', 'Runs'],
  ['/conversations', 'Conversations'],
  ['/calls', 'Calls'],
  ['/machines', 'Machines'],
  ['/experiments', 'Experiments'],
  ['/models', 'Models'],
  ['/system', 'System'],
] as const;

export function Navigation() {
  const { pathname } = useLocation();
  const places = useRef<HTMLUListElement>(null);
  // On a phone the links are wider than the window.
  useEffect(() => {
    places.current
      ?.querySelector('[aria-current=page]')
      ?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [pathname]);
  return (
    <nav aria-label="Main" className="nav">
      <Link to="/" className="brand" aria-label="Redial">
        <span aria-hidden="true" className="brand-mark" />
        Redial
      </Link>
      <ul ref={places}>
        {PLACES.map(([to, name]) => (
          <li key={to}>
            <Link to={to} activeOptions={{ exact: to === '/', includeSearch: false }} className="place">
              {name}
              {to === '/tasks' && <OpenTasks />}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function OpenTasks() {
  const { data } = useQuery({ queryKey: ['tasks', 'counts'], queryFn: () => server().countTasks() });
  if (!data || data.open + data.claimed === 0) return null;
  return (
    <>
      {' '}
      <span className="count">{data.open + data.claimed}</span>
    </>
  );
}
