// A system that does not exist, added as `docs/contributing/add-an-os.md` says: the proof that a new one touches nothing else.

import { installing } from '../../src/drivers/os/install.ts';
import type { OsDriver } from '../../src/drivers/os/os-driver.ts';
import { enableServices } from '../../src/drivers/os/systemctl.ts';

export const toy: OsDriver = {
  type: 'toy',
  summary: 'ToyOS: packages by toybox',
  systems: ['toyos'],
  recognise: (id, { isOstree }) => (id === 'toyos' && !isOstree ? 'toyos' : undefined),
  // A real one names its tool here, and in `TOOLS`.
  needs: [],
  ownPackages: [],
  install: packages => installing(packages, ['toybox', 'add', '--yes', ...packages]),
  enable: enableServices,
  upgrade: {
    stage: [['toybox', 'fetch', '--yes']],
    pending: {
      argv: ['toybox', 'pending'],
      read: ({ exitCode }) => (exitCode === 0 ? false : exitCode === 10 ? true : undefined),
    },
    apply: [['toybox', 'upgrade', '--yes']],
  },
  rebootNeed: {
    argv: ['toybox', 'needs-reboot'],
    read: ({ exitCode }) => (exitCode === 0 ? false : exitCode === 10 ? true : undefined),
  },
};
