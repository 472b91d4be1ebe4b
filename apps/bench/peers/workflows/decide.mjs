/** A step, recorded with its reply. @param {string} body */
async function ask(body) {
  'use step';
  return globalThis.benchAsk(body);
}

/** One step, and the decision that it leads to. @param {string} body */
export async function decide(body) {
  'use workflow';
  const reply = await ask(body);
  const { choices } = JSON.parse(reply);
  return choices[0].message.tool_calls[0].function.name;
}
