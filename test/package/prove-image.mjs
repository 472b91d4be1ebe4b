// The Dockerfile's steps in a folder, without Docker: installs the packed package as the build stage does, starts the CMD as a
// user who can write nothing but the data folder, runs the HEALTHCHECK, and ends the server with SIGTERM.
// Usage: node prove-image.mjs PACKAGE.tgz OPENAPI.json: the document of the server is written there. Begins with a copy of ./node_modules.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [archive = '', document = ''] = process.argv.slice(2);
const repository = join(import.meta.dirname, '../..');
const dockerfile = readFileSync(join(repository, 'Dockerfile'), 'utf8');
const [, install] = /^RUN (node .* npm install .*) \/package\//m.exec(dockerfile) ?? [];
const [check, start] = [...dockerfile.matchAll(/^ *CMD (\[.*\])$/gm)].map(([, words = '[]']) =>
  JSON.parse(words),
);
const [, user] = /--uid (\d+)/.exec(dockerfile) ?? [];
if (!install || !check || !start || !user)
  throw new Error('The Dockerfile has lost a step that this proof runs.');

const folder = mkdtempSync(join(tmpdir(), 'redial-image-'));
const app = join(folder, 'redial');
const data = join(folder, 'data');
const asUser = process.getuid?.() === 0 ? { uid: Number(user), gid: Number(user) } : {};
/** @type {import('node:child_process').ChildProcess | undefined} */
let server;
try {
  mkdirSync(app);
  cpSync('node_modules', join(app, 'node_modules'), { recursive: true, verbatimSymlinks: true });
  mkdirSync(data);
  const steps = `${install.replaceAll('/build/', `${repository}/`)} --silent "$0"`;
  execFileSync('bash', ['-c', steps, resolve(archive)], { cwd: app, stdio: 'inherit' });
  chmodSync(folder, 0o755);
  if (asUser.uid) chownSync(data, asUser.uid, asUser.gid);
  else execFileSync('chmod', ['-R', 'a-w', app]);
  await runServer();
  process.stdout.write('The image starts, is healthy and stops.\n');
} finally {
  server?.kill('SIGKILL');
  execFileSync('chmod', ['-R', 'u+w', app]);
  rmSync(folder, { recursive: true, force: true });
}

async function runServer() {
  const { PATH } = process.env;
  const env = {
    PATH,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: await freePort(),
    REDIAL_DATA_DIR: data,
  };
  const [program = '', ...words] = /** @type {string[]} */ (start);
  const running = spawn(program, words, { cwd: app, env, ...asUser, stdio: ['ignore', 'pipe', 'inherit'] });
  server = running;
  const exited = once(running, 'exit');
  await Promise.race([once(running.stdout, 'data'), exited.then(([code]) => fail(`ended with ${code}`))]);
  const [asker = '', ...question] = /** @type {string[]} */ (check);
  execFileSync(asker, question, { cwd: app, env, ...asUser, stdio: 'inherit' });
  const described = await fetch(`http://${env.HOST}:${env.PORT}/openapi.json`);
  writeFileSync(document, await described.text());
  if (!existsSync(join(data, 'log.sqlite'))) fail('has no log in its data folder');
  running.kill('SIGTERM');
  const [code] = await exited;
  if (code !== 0) fail(`ended with ${code} on SIGTERM`);
}

/** @returns {Promise<string>} */
async function freePort() {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  listener.close();
  return String(typeof address === 'object' && address?.port);
}

/** @param {string} how @returns {never} */
function fail(how) {
  throw new Error(`The server of the image ${how}.`);
}
