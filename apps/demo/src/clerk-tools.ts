import type { Redial } from '#lib/engine';
import type { RedialOptions } from '#lib/engine/core';
import type { JsonObject } from '#lib/kernel';

const ORDERS: { readonly [order: string]: JsonObject } = {
  1042: { item: 'tea set', total: 54, pieces: 6, deliveredOn: '2026-03-02' },
};

/** Checked against the parameters of the tool before the function is called. */
type Given = { readonly order: number; readonly amount: number };

/** The functions behind the clerk's tools. */
export const clerkFunctions: NonNullable<RedialOptions['functions']> = {
  find_order: (given) => ORDERS[(given as Given).order] ?? null,
  pay_back: (given) => ({ paid: (given as Given).amount }),
};

const order = { type: 'integer' };

/** A read-only tool, and one whose calls a person approves. */
export async function registerClerkTools(redial: Redial): Promise<void> {
  await redial.registerTool({
    toolId: 'find_order',
    description: 'An order by its number',
    parameters: { type: 'object', properties: { order }, required: ['order'], additionalProperties: false },
    execution: { fnName: 'find_order' },
    policy: { readOnly: true },
  });
  const amount = { type: 'number', exclusiveMinimum: 0 };
  await redial.registerTool({
    toolId: 'pay_back',
    description: 'Pays money back to the customer',
    parameters: {
      type: 'object',
      properties: { order, amount },
      required: ['order', 'amount'],
      additionalProperties: false,
    },
    execution: { fnName: 'pay_back' },
    policy: { needsApproval: true },
  });
}
