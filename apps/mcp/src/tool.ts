import { z } from 'zod';
import type { CallOptions, Redial } from '#lib/engine';
import type { OperationName } from './profiles.js';

/** What the tools of this server are made of. */
export interface Tool {
  readonly name: OperationName;
  readonly description: string;
  readonly input: z.ZodRawShape;
  run(this: void, redial: Redial, input: unknown, options: CallOptions): Promise<unknown>;
}

interface ToolOf<Shape extends z.ZodRawShape> extends Omit<Tool, 'input' | 'run'> {
  readonly input: Shape;
  run(redial: Redial, input: z.infer<z.ZodObject<Shape>>, options: CallOptions): Promise<unknown>;
}

/** A tool whose input is what its schema says. */
export function tool<Shape extends z.ZodRawShape>(definition: ToolOf<Shape>): Tool {
  const { name, description, input } = definition;
  const schema = z.object(input);
  return {
    name,
    description,
    input,
    run: (redial, given, options) => definition.run(redial, schema.parse(given), options),
  };
}
