// A program of code as action in the sandbox of the package: it evaluates the text of functions, which a build may change.
import { executeCode } from 'redial-engine/code';

const content = '```ts\nreturn { action: "done", value: (await price({})) + 1 };\n```';
const { output, iterations } = await executeCode({
  llm: { complete: async () => ({ choices: [{ index: 0, message: { role: 'assistant', content } }] }) },
  model: 'scripted',
  instructions: 'Add one to the price.',
  tools: [{ name: 'price', description: 'The price', parameters: {}, handler: () => 41 }],
  exits: [{ name: 'done', description: 'Done', schema: { type: 'number' } }],
});
if (output !== 42) throw new Error(`The program gave ${String(output)}: ${JSON.stringify(iterations)}`);
process.stdout.write('The package runs a program.\n');
