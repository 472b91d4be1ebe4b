import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { usePrincipal } from '../data/principal.js';
import { useIsConnectionLost, usePulse } from '../data/pulse.js';
import { isUnauthorized, server, token, wordsOf } from '../data/server.js';
import { Loading } from '../parts/notice.js';
import { KeyboardDialog } from './keyboard-dialog.js';
import { LoginPage } from './login-page.js';
import { Navigation } from './navigation.js';
import { SearchBox } from './search-box.js';
import { useShortcuts } from './shortcuts.js';

import { queryClient } from '../data/query-client.js';
import { ThemeSwitch } from './theme-switch.js';

/** Navigation, search and switches around every page. A server that asks for a token shows the form for it first, at the same address. */
export function Shell() {
  const principal = usePrincipal();
  if (principal.isPending) return <Loading />;
  if (isUnauthorized(principal.error)) return <LoginPage />;
  return <Frame problem={principal.data ? undefined : wordsOf(principal.error)} />;
}

function Frame({ problem }: { readonly problem: string | undefined }) {
  usePulse();
  useFocusOfPages();
  const isLost = useIsConnectionLost();
  const [isHelpOpen, setHelpOpen] = useState(false);
  useShortcuts({ '?': () => setHelpOpen(true) });
  return (
    <div className="shell">
      <a className="skip" href="#main" onClick={skipToMain}>
        Skip to the page
      </a>
      <header className="bar">
        <Navigation />
        <div className="bar-tools">
          <SearchBox />
          <ThemeSwitch />
          <button type="button" className="quiet-button" onClick={() => setHelpOpen(true)} aria-label="Keys">
            ?
          </button>
          <WhoAmI />
        </div>
      </header>
      <div role="status" className={isLost ? 'connection lost' : 'connection'}>
        {isLost ? 'Connection lost' : ''}
      </div>
      <main id="main" tabIndex={-1}>
        <StoppedRows />
        {problem === undefined ? <Outlet /> : <p role="alert">{problem}</p>}
      </main>
      <KeyboardDialog isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </div>
  );
}

/** Lists are answered from the rows of an earlier time while they are not filled. */
function StoppedRows() {
  const { data } = useQuery({ queryKey: ['projections'], queryFn: () => server().listProjections() });
  if (!data?.items.some(({ status }) => status === 'stopped')) return null;
  return (
    <div className="callouts">
      <p className="callout">
        <span>The rows are not filled: items of lists are old, or missing.</span>
        <Link to="/system">Why: see Projections</Link>
      </p>
    </div>
  );
}

/** The keyboard goes on in the new page when the link or form that led to it is gone with the old one. */
function useFocusOfPages(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation && pathChanged && document.activeElement === document.body)
          document.getElementById('main')?.focus({ preventScroll: true });
      }),
    [router],
  );
}

/** By hand: a link to a part of the page would lead to the base address. */
function skipToMain(event: React.MouseEvent): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

/** The person, or the role of the token; empty on a server that asks for no token. */
function WhoAmI() {
  const { data } = usePrincipal();
  if (!data || token.get() === undefined) return null;
  const logOut = () => {
    token.clear();
    void queryClient.resetQueries({ queryKey: ['principal'] });
  };
  return (
    <span className="who">
      <span className="dim">{data.personId ?? data.role}</span>
      <button type="button" className="quiet-button" onClick={logOut}>
        Log out
      </button>
    </span>
  );
}
