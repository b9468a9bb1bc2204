import path from 'node:path';
import type { Plugin } from 'vite';

type RouteData = Record<string, unknown>;

/** The client sends by the rows and leaves all checking to the service: schemas would be most of what a browser loads. */
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
 * Modules of the contract are data, so a browser gets them as data: they are read here, while the dashboard is built, and it does not
 * load the library that makes them. Functions among them are not for it; a module that has nothing else is code, and stays so.
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
        const data =
          isRouteTable && name === 'routes' ? stripSchemas(value as Record<string, RouteData>) : value;
        return `export const ${name} = ${JSON.stringify(data)};`;
      })
      .join('\n');
  },
});
