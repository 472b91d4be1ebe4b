import { temporaryFolder } from '#lib/kernel/testing';
import { runDemo } from '../../apps/demo/src/run-demo.js';
import { TextSink } from '../cli/command-line.js';
import { RedialServer } from '../support/redial-server.js';

/** A server on the folder that the demo leaves. The caller stops it. */
export async function serverOfTheDemo(): Promise<RedialServer> {
  delete process.env['OPENAI_API_KEY'];
  const dataDir = temporaryFolder();
  await runDemo({ out: new TextSink(), err: new TextSink() }, dataDir);
  return RedialServer.start({ place: { dataDir } });
}
