import { blockOf } from './read-through.ts';

/** `api` and `URL`, as README's tour defines them, for a service of the tests: other documents count on them. */
export const tourAt = (url: string, password: string): string =>
  blockOf('README.md', 'api()').replace('http://127.0.0.1:8000', url).replace("'…'", `'${password}'`);
