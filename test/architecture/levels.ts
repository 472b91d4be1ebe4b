/** The level of each lib: a lib imports only from lower ones. `apps` stand above all of them. */
export const levels: { readonly [lib: string]: number } = {
  kernel: 0,
  calls: 1,
  machine: 1,
  'event-store': 1,
  'event-store-sqlite': 2,
  'event-store-eventstoredb': 2,
  'legacy-workflow': 2,
  session: 2,
  specialist: 2,
  solicitation: 3,
  gate: 3,
  evaluation: 3,
  arbitration: 3,
  projections: 4,
  replay: 4,
  activities: 4,
  operations: 5,
  engine: 7,
};

/** The npm packages a lib may import, besides Node's own modules. */
export const packages: { readonly [lib: string]: readonly string[] } = {
  kernel: ['uuid'],
  calls: [],
  machine: ['ajv', 'ajv-formats'],
  'event-store': [],
  'event-store-sqlite': ['better-sqlite3'],
  'event-store-eventstoredb': ['@eventstore/db-client'],
  'legacy-workflow': [],
  session: [],
  specialist: [],
  solicitation: ['mustache'],
  gate: [],
  evaluation: [],
  arbitration: [],
  projections: ['kysely', 'better-sqlite3', 'pg'],
  replay: [],
  activities: ['openai'],
  operations: [
    '@nestjs/common',
    '@nestjs/cqrs',
    'class-validator',
    'class-validator-jsonschema',
    'reflect-metadata',
  ],
  engine: [
    '@nestjs/common',
    '@nestjs/core',
    '@nestjs/cqrs',
    'class-validator',
    'class-transformer',
    'kysely',
  ],
};

/** Libs that hold rules alone: they know no clock, no randomness, no outside, and nothing in them waits. */
export const pureLibs: readonly string[] = [
  'calls',
  'machine',
  'session',
  'specialist',
  'solicitation',
  'arbitration',
  'gate',
  'evaluation',
];
