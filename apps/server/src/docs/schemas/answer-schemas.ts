import { decisionSchemas } from './decision-schemas.js';
import { operationSchemas } from './operation-schemas.js';
import { sessionSchemas } from './session-schemas.js';

/** What is answered, by name: the `components/schemas` that the DTO classes of requests are not. */
export const answerSchemas: Readonly<Record<string, object>> = {
  ...sessionSchemas,
  ...decisionSchemas,
  ...operationSchemas,
};
