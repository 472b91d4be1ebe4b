// The pages as a site: `npm run docs:site` builds it into dist/docs, with the API reference below /api/.

/** @param {string} text @param {...[string, string]} pages */
const group = (text, ...pages) => ({
  text,
  items: pages.map(([page, name]) => ({ text: name, link: `/${page}` })),
});

export default {
  title: 'Redial',
  description: 'An event-sourced engine for decisions made by language models and people.',
  rewrites: { 'guide/README.md': 'guide/index.md' },
  srcExclude: ['decisions/**'],
  // Pages lead to files of the repository, which the site does not have.
  ignoreDeadLinks: [/\.\.\/(?:examples|apps|libs|test|bench)\//, /\.(?:mjs|json)$/, /README/, /CHANGELOG/],
  // Templates of prompts have double braces.
  vue: { template: { compilerOptions: { delimiters: ['[[[', ']]]'] } } },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    logoLink: '/guide/',
    nav: [
      { text: 'Guide', link: '/guide/' },
      { text: 'API', link: '/api/index.html', target: '_self' },
    ],
    sidebar: [
      group('Learn', ['guide/first-machine', 'First machine'], ['five-minutes', 'Debug a bad decision']),
      group(
        'Do',
        ['guide/proposers', 'Proposers and prompts'],
        ['guide/arbiters', 'Arbiters, trust and thresholds'],
        ['guide/working-with-people', 'Work with people'],
        ['guide/tools', 'Tools and the planner'],
        ['guide/conversations', 'Conversations'],
        ['guide/code-as-action', 'Code'],
        ['guide/scripts', 'Workflows as scripts'],
        ['guide/testing-and-ci', 'Testing and CI'],
        ['guide/production', 'In production'],
        ['experiments', 'Change the model with confidence'],
        ['debugging', 'When a decision was wrong'],
        ['simulation', 'Recorded rounds under other settings'],
      ),
      group(
        'Understand',
        ['architecture', 'Architecture'],
        ['proposal', 'The life of a proposal'],
        ['replay', 'Replay'],
        ['proof', 'Proofs of machines'],
        ['seals', 'Seals'],
        ['forgetting', 'Forgetting'],
        ['guide/comparison', 'Beside other systems'],
      ),
      group(
        'Reference',
        ['nest', 'In a Nest application'],
        ['people', 'People who decide'],
        ['flows', 'Agents and conversations'],
        ['planner', 'The planner'],
        ['code', 'Code as action'],
        ['workflows', 'Workflows'],
        ['testing', 'Tests of an application'],
        ['console', 'The console'],
        ['operations', 'Operations'],
        ['events', 'Event catalogue'],
        ['views', 'Views for analysts'],
        ['history-format', 'History files'],
        ['limits', 'Limits'],
        ['scale', 'Scale'],
        ['benchmarks', 'Benchmarks'],
        ['numbered-cases', 'Numbered cases'],
        ['glossary', 'Glossary'],
      ),
    ],
  },
};
