export * from './core.js';
export * as answerTaskOperations from './answer-task.operation.js';
export * as extendOperations from './extend.operation.js';
export * as taskOperations from './tasks.operations.js';
