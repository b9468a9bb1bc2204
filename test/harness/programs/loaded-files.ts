import { createRequire } from 'node:module';

/** Number of loaded CommonJS files of a package or scope. */
export const countLoadedFiles = (name: string): number =>
  Object.keys(createRequire(import.meta.url).cache).filter(file => file.includes(`/node_modules/${name}/`)).length;
