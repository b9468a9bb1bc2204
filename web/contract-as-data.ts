import path from 'node:path';
import type { Plugin } from 'vite';

type Row = Record<string, unknown>;

/** The client sends by the rows and leaves all checking to the service: schemas would be most of what a browser loads. */
const withoutSchemas = (routes: Record<string, Row>) =>
  Object.fromEntries(
    Object.entries(routes).map(([name, { query, body, ...row }]) => [
      name,
      {
        ...row,
        ...(query !== undefined && { query: {} }),
        ...(body !== undefined && { body: {} }),
        answer: {},
      },
    ]),
  );

/**
 * Modules of the contract are data, so a browser gets them as data: they are read here, while the dashboard is built, and it does not
 * load the library that makes them. Functions among them are not for it; a module that has nothing else is code, and stays so.
 */
export const contractAsData = (folder: string): Plugin => ({
  name: 'contract-as-data',
  enforce: 'pre',
  async load(id) {
    if (!id.startsWith(`${folder}${path.sep}`) || !id.endsWith('.ts')) return undefined;
    const names: Record<string, unknown> = await import(id);
    if (Object.values(names).every(value => typeof value === 'function')) return undefined;
    const isRows = path.basename(id) === 'index.ts';
    return Object.entries(names)
      .filter(([, value]) => typeof value !== 'function')
      .map(([name, value]) => {
        const data = isRows && name === 'routes' ? withoutSchemas(value as Record<string, Row>) : value;
        return `export const ${name} = ${JSON.stringify(data)};`;
      })
      .join('\n');
  },
});
