import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
} from '@tanstack/react-router';
import { basePath } from '../data/server.js';
import { Loading, Problem } from '../parts/notice.js';
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
    lazyRouteComponent(() => import('../overview/overview-page.js'), 'OverviewPage'),
  ),
  page(
    '/sessions',
    lazyRouteComponent(() => import('../sessions/sessions-page.js'), 'SessionsPage'),
  ),
  page(
    '/sessions/$id',
    lazyRouteComponent(() => import('../sessions/session-page.js'), 'SessionPage'),
  ),
  page(
    '/compare',
    lazyRouteComponent(() => import('../compare/compare-page.js'), 'ComparePage'),
  ),
  page(
    '/runs',
    lazyRouteComponent(() => import('../runs/runs-page.js'), 'RunsPage'),
  ),
  page(
    '/runs/$id',
    lazyRouteComponent(() => import('../runs/run-page.js'), 'RunPage'),
  ),
  page(
    '/conversations',
    lazyRouteComponent(() => import('../conversations/conversations-page.js'), 'ConversationsPage'),
  ),
  page(
    '/conversations/$id',
    lazyRouteComponent(() => import('../conversations/conversation-page.js'), 'ConversationPage'),
  ),
  page(
    '/calls',
    lazyRouteComponent(() => import('../calls/calls-page.js'), 'CallsPage'),
  ),
  page(
    '/calls/$id',
    lazyRouteComponent(() => import('../calls/call-page.js'), 'CallPage'),
  ),
  page(
    '/tasks',
    lazyRouteComponent(() => import('../tasks/tasks-page.js'), 'TasksPage'),
  ),
  page(
    '/tasks/$id',
    lazyRouteComponent(() => import('../tasks/task-page.js'), 'TaskPage'),
  ),
  page(
    '/machines',
    lazyRouteComponent(() => import('../machines/machines-page.js'), 'MachinesPage'),
  ),
  page(
    '/machines/$id',
    lazyRouteComponent(() => import('../machines/machine-page.js'), 'MachinePage'),
  ),
  page(
    '/experiments',
    lazyRouteComponent(() => import('../experiments/experiments-page.js'), 'ExperimentsPage'),
  ),
  page(
    '/experiments/$id',
    lazyRouteComponent(() => import('../experiments/experiment-page.js'), 'ExperimentPage'),
  ),
  page(
    '/models',
    lazyRouteComponent(() => import('../models/models-page.js'), 'ModelsPage'),
  ),
  page(
    '/system',
    lazyRouteComponent(() => import('../system/system-page.js'), 'SystemPage'),
  ),
]);

export const router = createRouter({
  routeTree: routes,
  basepath: basePath,
  parseSearch,
  stringifySearch,
  scrollRestoration: true,
  defaultPendingComponent: Loading,
  defaultErrorComponent: ({ error }) => <Problem error={error} />,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
