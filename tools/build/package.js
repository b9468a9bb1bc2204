// What npm runs before and after it makes the package:
//
//   node tools/build/package.js           builds all that is in it, anew
//   node tools/build/package.js --clean   removes what no checkout should have

import { rmSync } from 'node:fs';
import path from 'node:path';
import { BUNDLE_FOLDER } from '../../bin/launcher.js';
import { buildCli } from './cli.js';
import { buildServer } from './server.js';
import { removeShrinkwrap, writeShrinkwrap } from './shrinkwrap.js';
import { buildWeb } from './web.js';

const root = process.cwd();

if (process.argv.includes('--clean')) removeShrinkwrap(root);
else {
  // Older bundles are kept for those who run them.
  rmSync(path.join(root, BUNDLE_FOLDER), { recursive: true, force: true });
  await buildCli(root);
  await buildServer(root);
  await buildWeb(root);
  writeShrinkwrap(root);
}
