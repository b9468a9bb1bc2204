import path from 'node:path';
import type { Plugin } from 'vite';

type RouteData = Record<string, unknown>;

/**
 * Removes the schemas from the route definitions. The client does not validate, and schemas would be most of the
 * bundle.
 */
const stripSchemas = (routes: Record<string, RouteData>) =>
  Object.fromEntries(
    Object.entries(routes).map(([name, { query, body, ...route }]) => [
      name,
      {
        ...route,
        ...(query !== undefined && { query: {} }),
        ...(body !== undefined && { body: {} }),
        response: {},
      },
    ]),
  );

/**
 * Evaluates the contract modules at build time and serves their exports as JSON constants, so the bundle does not
 * contain the schema library. Functions are dropped. A module that exports only functions is bundled as code.
 */
export const contractPlugin = (folder: string): Plugin => ({
  name: 'vite-contract-plugin',
  enforce: 'pre',
  async load(id) {
    if (!id.startsWith(`${folder}${path.sep}`) || !id.endsWith('.ts')) return undefined;
    const names: Record<string, unknown> = await import(id);
    if (Object.values(names).every(value => typeof value === 'function')) return undefined;
    const isRouteTable = path.basename(id) === 'index.ts';
    return Object.entries(names)
      .filter(([, value]) => typeof value !== 'function')
      .map(([name, value]) => {
        const data = isRouteTable && name === 'routes' ? stripSchemas(value as Record<string, RouteData>) : value;
        return `export const ${name} = ${JSON.stringify(data)};`;
      })
      .join('\n');
  },
});
