import { join } from 'node:path';
import {
  listLines,
  type Io,
  packageRoot,
  paintFor,
  printLines,
  readMachineFile,
  settingsFor,
  withEngine,
} from '../../cli/src/index.js';
import { clerkFunctions, registerClerkTools } from './clerk-tools.js';
import { emptyFolder } from './empty-folder.js';
import { howToLook } from './how-to-look.js';
import { openProvider } from './open-provider.js';
import { converse, receptionFunctions } from './reception.js';
import { replayFromLog } from './replay-from-log.js';
import { replayTamperedCopy } from './replay-tampered-copy.js';
import { scenarios } from './scenarios.js';
import { Stage } from './stage.js';

/**
 * Shows Redial in one run: sessions decided in every way, a conversation, their audit, their replay, and the replay of a log that was
 * tampered with.
 * @param dataDir removed first; afterwards it has the log of the demo
 * @throws FolderInUse
 */
export async function runDemo(io: Pick<Io, 'out' | 'err'>, dataDir: string): Promise<void> {
  const { out } = io;
  const paint = paintFor(out);
  const heading = (text: string) => printLines(out, ['', paint('bold', text)]);
  await emptyFolder(dataDir);
  const provider = await openProvider();
  const played = scenarios.filter(({ elsewhere }) => provider.isScripted || !elsewhere);
  const names = new Set(played.map(({ machineName = 'refunds' }) => machineName));
  const machines = await Promise.all([...names].map((name) => exampleMachine(`${name}.json`)));
  printLines(out, [
    paint('bold', 'Redial: state machines whose transitions are chosen by language models and by people.'),
    'Every step on the way to a choice is an event in a log. Here is one process, refunds of a small shop',
    '(examples/refunds.json), decided six times, then a clerk with tools (examples/orders.json), a panel',
    'of three models (examples/panel.json), and a conversation with an agent (examples/clinic.json).',
    '',
    `Models: ${provider.description}`,
    `Data:   ${dataDir} (fresh)`,
  ]);
  const { llm, providers } = provider;
  const options = {
    dataDir,
    functions: { ...clerkFunctions, ...receptionFunctions },
    ...(llm && { llm }),
    ...(providers && { providers }),
  };
  const ids = await withEngine(options, io.err, async (engine) => {
    await registerClerkTools(engine.redial);
    for (const machine of machines) await engine.redial.defineMachine(machine);
    const stage = new Stage(engine, out);
    for (const [index, scenario] of played.entries()) {
      await stage.play(scenario, `${index + 1}. ${scenario.title}`, provider.isScripted);
    }
    const [first = ''] = stage.sessionIds;
    const talked = provider.isScripted
      ? [await converse(engine.redial, out, `${played.length + 1}. A conversation`)]
      : [];
    heading('The audit: every call to a model, counted from the log');
    printLines(out, listLines('getModelStatistics', await engine.redial.getModelStatistics()) ?? []);
    return [first, ...talked];
  });
  await provider.close();
  heading(
    'The replay: each session and the conversation derived again from the log alone, no model called, and compared event by event',
  );
  const settings = settingsFor(dataDir);
  await replayFromLog(settings, out);
  heading('The proof: the log is copied, and one recorded decision is changed in the copy');
  await replayTamperedCopy(settings, out);
  printLines(out, howToLook(dataDir, ids, paint));
}

async function exampleMachine(file: string) {
  return (await readMachineFile(join(packageRoot(), 'examples', file))).machine;
}
