import { blockOf } from './read-through.ts';

/** `api` and `URL` as the quickstart defines them, for a server of the tests: other documents use them. */
export const tourAt = (url: string, password: string): string =>
  blockOf('docs/getting-started/quickstart.md', 'api()')
    .replace('http://127.0.0.1:8000', url)
    .replace("'…'", `'${password}'`);
