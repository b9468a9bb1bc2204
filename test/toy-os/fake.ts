import type { MachineFake } from '../../src/drivers/machine.ts';
import { said, wordsOf } from '../../src/drivers/os/fake-answers.ts';
import {
  applyUpgrades,
  downloadUpgrades,
  installPackages,
  upgradesFor,
} from '../../src/drivers/os/fake-packages.ts';

export const toyFake: MachineFake = {
  blueprints: {
    toyos: {
      osRelease: 'NAME="ToyOS"\nID=toyos\nVERSION_ID=1\n',
      tools: [],
      packages: { kernel: '1', sshd: '1' },
      offered: { kernel: '2', etcd: '1' },
    },
  },
  answer: (machine, [program, ...args]) => {
    if (program !== 'toybox') return undefined;
    const [verb, ...packages] = wordsOf(args);
    if (verb === 'needs-reboot') return said(machine.run.has('old-kernel') ? 10 : 0);
    if (verb === 'pending') return said(upgradesFor(machine).size > 0 ? 10 : 0);
    if (machine.isDiskFull) return said(1, '', 'toybox: no space left\n');
    if (verb === 'fetch') downloadUpgrades(machine);
    else if (verb === 'add') installPackages(machine, packages);
    else if (verb !== 'upgrade') return undefined;
    else if (applyUpgrades(machine).has('kernel')) machine.run.set('old-kernel', '');
    return said(0);
  },
};
