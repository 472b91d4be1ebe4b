/** Words that are no names for functions or objects of programs: those of TypeScript, of its standard library, and of this sandbox. */
export const reservedWords = new Set(
  `think listen cite exit action callback code execute jsx Fragment object string number boolean array
  arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for
  function if implements import in instanceof interface let new null package private protected public return static super switch
  this throw true try typeof undefined var void while with yield
  globalThis console Array ArrayBuffer BigInt Boolean DataView Date Error EvalError Function Infinity Iterator JSON Map Math NaN
  Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set String Symbol SyntaxError TypeError URIError WeakMap
  WeakRef WeakSet`.split(/\s+/),
);
