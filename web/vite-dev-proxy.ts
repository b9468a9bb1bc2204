import { routes } from '../src/contract/index.ts';

/** Address of the server that `npm run demo` starts. */
const SERVER = 'http://127.0.0.1:8000';

const firstSegments = new Set(Object.values(routes).map(({ path }) => path.split('/')[1]?.replaceAll('.', '\\.')));

/** Sends the requests that do not belong to the dashboard to a running server. Vite reads a key with `^` as a pattern. */
export const DEV_PROXY: Readonly<Record<string, string>> = { [`^/(${[...firstSegments].join('|')})([/?]|$)`]: SERVER };
