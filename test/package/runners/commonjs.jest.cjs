test('jest with a CommonJS test file', async () => {
  const kit = await import('redial-engine/testing');
  const { decided } = await import('./refund.js');
  expect(await decided(kit)).toBe('closed');
});
