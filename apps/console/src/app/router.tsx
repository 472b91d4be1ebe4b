import { createRootRoute, createRoute, createRouter, type RouteComponent } from '@tanstack/react-router';
import { basePath } from '../data/server.js';
import { Loading, Problem } from '../parts/notice.js';
import { lazyPage } from './lazily.js';
import { NotFoundPage } from './not-found-page.js';
import { parseSearch, type Search, stringifySearch } from './search-params.js';
import { Shell } from './shell.js';

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NotFoundPage,
  validateSearch: (search: Search) => search,
});

function page<const Path extends string>(path: Path, component: RouteComponent) {
  return createRoute({
    getParentRoute: () => root,
    path,
    component,
    // Texts that are typed for one object are not in the forms of another.
    remountDeps: ({ params }) => params,
  });
}

/** Each page is loaded when it is first opened. */
const routes = root.addChildren([
  page(
    '/',
    lazyPage(() => import('../overview/overview-page.js'), 'OverviewPage'),
  ),
  page(
    '/sessions',
    lazyPage(() => import('../sessions/sessions-page.js'), 'SessionsPage'),
  ),
  page(
    '/sessions/$id',
    lazyPage(() => import('../sessions/session-page.js'), 'SessionPage'),
  ),
  page(
    '/compare',
    lazyPage(() => import('../compare/compare-page.js'), 'ComparePage'),
  ),
  page(
    '/runs',
    lazyPage(() => import('../runs/runs-page.js'), 'RunsPage'),
  ),
  page(
    '/runs/$id',
    lazyPage(() => import('../runs/run-page.js'), 'RunPage'),
  ),
  page(
    '/conversations',
    lazyPage(() => import('../conversations/conversations-page.js'), 'ConversationsPage'),
  ),
  page(
    '/conversations/$id',
    lazyPage(() => import('../conversations/conversation-page.js'), 'ConversationPage'),
  ),
  page(
    '/calls',
    lazyPage(() => import('../calls/calls-page.js'), 'CallsPage'),
  ),
  page(
    '/calls/$id',
    lazyPage(() => import('../calls/call-page.js'), 'CallPage'),
  ),
  page(
    '/tasks',
    lazyPage(() => import('../tasks/tasks-page.js'), 'TasksPage'),
  ),
  page(
    '/tasks/$id',
    lazyPage(() => import('../tasks/task-page.js'), 'TaskPage'),
  ),
  page(
    '/machines',
    lazyPage(() => import('../machines/machines-page.js'), 'MachinesPage'),
  ),
  page(
    '/machines/$id',
    lazyPage(() => import('../machines/machine-page.js'), 'MachinePage'),
  ),
  page(
    '/experiments',
    lazyPage(() => import('../experiments/experiments-page.js'), 'ExperimentsPage'),
  ),
  page(
    '/experiments/$id',
    lazyPage(() => import('../experiments/experiment-page.js'), 'ExperimentPage'),
  ),
  page(
    '/models',
    lazyPage(() => import('../models/models-page.js'), 'ModelsPage'),
  ),
  page(
    '/system',
    lazyPage(() => import('../system/system-page.js'), 'SystemPage'),
  ),
]);

/** Its code failed, or is not on the server any more. */
function cannotBeShown(error: unknown): Error {
  return new Error(`This page cannot be shown (${String(error)}). Load it again.`);
}

export const router = createRouter({
  routeTree: routes,
  basepath: basePath,
  parseSearch,
  stringifySearch,
  scrollRestoration: true,
  defaultPendingComponent: Loading,
  defaultErrorComponent: ({ error }) => <Problem error={cannotBeShown(error)} />,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
