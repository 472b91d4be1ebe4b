import { expect, it } from '@jest/globals';
import { paidFor } from '../../examples/execute-code.js';

it('examples/execute-code.ts adds up what the tool knows of each order', async () => {
  const content = `const all = await Promise.all([1, 2].map((order) => find_order({ order })));
return { action: 'paid', value: all.reduce((sum, { total }) => sum + total, 0) };`;
  const complete = () => Promise.resolve({ choices: [{ message: { role: 'assistant', content } }] });
  expect(await paidFor([1, 2], { complete })).toBe(30);
});
