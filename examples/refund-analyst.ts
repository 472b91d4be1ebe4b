// A refund analyst: a model writes code that joins the data of three tools.
// In an engine with these functions, register each tool with `POST /v1/tools`, then start the run with `POST /v1/runs`.

// #region tools
const orders = [
  { order: 1, customer: 'Ada', total: 40 },
  { order: 2, customer: 'Ben', total: 25 },
  { order: 3, customer: 'Ada', total: 60 },
];
const refunds = [
  { order: 1, amount: 40 },
  { order: 1, amount: 40 },
  { order: 2, amount: 5 },
];
const returned = [1];

/** The functions of the tools, by name. */
export const functions = {
  list_orders: () => orders,
  find_refunds: (of: { order: number }) => refunds.filter(({ order }) => order === of.order),
  was_returned: ({ order }: { order: number }) => returned.includes(order),
};

const ofOrder = { type: 'object', properties: { order: { type: 'integer' } }, required: ['order'] };
const policy = { readOnly: true, concurrencySafe: true };

/** Their calls may run at the same time, and again after a crash. */
export const tools = [
  { toolId: 'list_orders', description: 'All orders', parameters: { type: 'object' } },
  { toolId: 'find_refunds', description: 'The refunds of an order', parameters: ofOrder },
  { toolId: 'was_returned', description: 'Whether the goods of an order came back', parameters: ofOrder },
].map((tool) => ({ ...tool, execution: { fnName: tool.toolId }, policy }));
// #endregion

// #region run
/** The body of `POST /v1/runs`. */
export const run = {
  workflow: 'code',
  input: {
    instructions: 'Which orders were refunded with more than their total, or without a return?',
    model: 'gpt-4o-mini',
    tools: tools.map(({ toolId }) => toolId),
    exits: [
      {
        name: 'report',
        description: 'The orders, and what was paid back in excess',
        schema: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              order: { type: 'integer' },
              customer: { type: 'string' },
              excess: { type: 'number' },
            },
            required: ['order', 'customer', 'excess'],
          },
        },
      },
    ],
  },
};
// #endregion
