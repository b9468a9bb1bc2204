import {
  applyUpgrades,
  availableUpgrades,
  downloadUpgrades,
  installPackages,
} from '../../src/simulator/os/software.ts';
import type { CommandSimulator } from '../../src/simulator/simulated-machine.ts';
import { positionalArgs, simulatedResult } from '../../src/simulator/simulated-machine.ts';

export const toyOsSimulator: CommandSimulator = {
  templates: {
    toyos: {
      osRelease: 'NAME="ToyOS"\nID=toyos\nVERSION_ID=1\n',
      tools: [],
      packages: { kernel: '1', sshd: '1' },
      available: { kernel: '2', etcd: '1' },
    },
  },
  execute: (machine, [program, ...args]) => {
    if (program !== 'toybox') return undefined;
    const [verb, ...packages] = positionalArgs(args);
    if (verb === 'needs-reboot') return simulatedResult(machine.runFiles.has('old-kernel') ? 10 : 0);
    if (verb === 'pending') return simulatedResult(availableUpgrades(machine).size > 0 ? 10 : 0);
    if (machine.isDiskFull) return simulatedResult(1, '', 'toybox: no space left\n');
    if (verb === 'add')
      return installPackages(machine, packages, {
        unknown: name => simulatedResult(1, '', `toybox: no package ${name}\n`),
        done: simulatedResult(0),
      });
    if (verb === 'fetch') downloadUpgrades(machine);
    else if (verb !== 'upgrade') return undefined;
    else if (applyUpgrades(machine).has('kernel')) machine.runFiles.set('old-kernel', '');
    return simulatedResult(0);
  },
};
