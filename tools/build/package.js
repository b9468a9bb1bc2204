// Runs before and after npm creates the package:
//
//     node tools/build/package.js           builds everything from scratch
//     node tools/build/package.js --clean   removes files that do not belong into a checkout

import { rmSync } from 'node:fs';
import path from 'node:path';
import { BUNDLE_FOLDER } from '../../bin/launcher.js';
import { buildCli } from './cli.js';
import { buildSdk } from './sdk.js';
import { buildServer } from './server.js';
import { removeShrinkwrap, writeShrinkwrap } from './shrinkwrap.js';
import { buildWeb } from './web.js';

const root = process.cwd();

if (process.argv.includes('--clean')) removeShrinkwrap(root);
else {
  // Removes older bundles, which a build keeps for running clients.
  rmSync(path.join(root, BUNDLE_FOLDER), { recursive: true, force: true });
  await buildCli(root);
  await buildServer(root);
  await buildSdk(root);
  await buildWeb(root);
  writeShrinkwrap(root);
}
