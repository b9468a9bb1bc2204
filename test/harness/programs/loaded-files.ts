import { createRequire } from 'node:module';

/** How many files of a package, or of an organisation's packages, this process has loaded; of those in CommonJS. */
export const loadedFiles = (name: string): number =>
  Object.keys(createRequire(import.meta.url).cache).filter(file => file.includes(`/node_modules/${name}/`))
    .length;
