// A fictional operating system, added as described in `docs/contributing/add-an-os.md`. It proves that a new
// driver needs no other changes.

import type { OsDriver } from '../../src/drivers/os/os-driver.ts';
import { installCommands } from '../../src/drivers/os/shared-commands.ts';

export const toy: OsDriver = {
  type: 'toy',
  summary: 'ToyOS: packages by toybox',
  osNames: ['toyos'],
  matchOs: (id, { isOstree }) => (id === 'toyos' && !isOstree ? 'toyos' : undefined),
  // A real driver names its tool here and in `TOOLS`.
  requiredTools: [],
  install: packages => installCommands(packages, ['toybox', 'add', '--yes', ...packages]),
  upgrade: {
    stage: [['toybox', 'fetch', '--yes']],
    hasUpdates: {
      argv: ['toybox', 'pending'],
      parse: ({ exitCode }) => (exitCode === 0 ? false : exitCode === 10 ? true : undefined),
    },
    apply: [['toybox', 'upgrade', '--yes']],
  },
  rebootRequired: {
    argv: ['toybox', 'needs-reboot'],
    parse: ({ exitCode }) => (exitCode === 0 ? false : exitCode === 10 ? true : undefined),
  },
};
