import type { Benchmark } from '../comparison.js';
import { HttpLoad } from '../fixtures/http-load.js';
import { makeSessionLog } from '../fixtures/session-log.js';
import { ServerProcess } from '../servers/server-process.js';

const CONNECTIONS = 16;
const REQUESTS = 400;

/** The most frequent read, over loopback. */
export const httpGetSession: Benchmark = {
  name: 'http-get-session',
  async open(folder) {
    const { log, sessionIds } = await makeSessionLog(folder, { sessions: 20, rounds: 3 });
    const head = await log.store.head();
    await log.store.close();
    const path = `/v1/sessions/${sessionIds[0]}`;
    const load = new HttpLoad(CONNECTIONS);
    const redial = await ServerProcess.start(
      './redial-server.js',
      JSON.stringify({ REDIAL_DATA_DIR: folder }),
    );
    const answer = await load.body(`${redial.url}${path}?minPosition=${head}`);
    const bare = await ServerProcess.start('./bare-server.js', answer);
    return {
      comparisons: [
        {
          name: 'http-get-session',
          compared: `GET of a session from the server as shipped / the same JSON from a bare Nest route, ${CONNECTIONS} connections`,
          unit: 'requests',
          unitsPerCall: REQUESTS,
          blocks: 15,
          callsPerBlock: 1,
          ours: () => load.repeat(`${redial.url}${path}`, REQUESTS),
          bare: () => load.repeat(`${bare.url}${path}`, REQUESTS),
        },
      ],
      async close() {
        load.close();
        await Promise.all([redial.stop(), bare.stop()]);
      },
    };
  },
};
