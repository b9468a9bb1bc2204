// Simulates the installation and removal of flanneld. The simulated host has the newest flanneld, which starts
// immediately and with every boot. It uses one fixed network, regardless of the configuration in etcd.

import type { Argv } from '../domain/command.ts';
import { EXIT_PERMANENT_FAILURE, parseScriptArgs } from '../domain/command.ts';
import { READ_FLANNEL_STATE } from '../drivers/network/flannel.ts';
import { INSTALL_FLANNELD, NO_CLIENT_MODE, REMOVE_FLANNELD, UNIT } from '../drivers/network/flanneld-script.ts';
import type { CommandSimulator, SimulatedMachine, SimulatedResult } from './simulated-machine.ts';
import { simulatedResult } from './simulated-machine.ts';

export const SIMULATED_NETWORK = '10.1.0.0/16';

/** Records the network name in the set of services. */
const networkMarker = (name: string): string => `${UNIT} for ${name}`;

function installFlanneld(machine: SimulatedMachine, name: string, requiredFlag: string): SimulatedResult {
  if (requiredFlag !== '') return simulatedResult(EXIT_PERMANENT_FAILURE, '', `${NO_CLIENT_MODE}\n`);
  if (machine.isDiskFull) return simulatedResult(1, '', 'sh: write error: No space left on device\n');
  removeFlanneld(machine);
  machine.services.add(UNIT).add(networkMarker(name));
  return simulatedResult(0);
}

function removeFlanneld({ services }: SimulatedMachine): void {
  for (const service of services) if (service.startsWith(UNIT)) services.delete(service);
}

const readState = ({ services }: SimulatedMachine): SimulatedResult =>
  services.has(UNIT)
    ? simulatedResult(
        0,
        `state active\noutput \nsetting FLANNEL_NETWORK=${SIMULATED_NETWORK}\nsetting FLANNEL_SUBNET=10.1.5.1/24\n`,
      )
    : simulatedResult(0, 'state inactive\noutput \n');

function execute(machine: SimulatedMachine, argv: Argv): SimulatedResult | undefined {
  const [name, requiredFlag = ''] = parseScriptArgs(INSTALL_FLANNELD, argv) ?? [];
  if (name !== undefined) return installFlanneld(machine, name, requiredFlag);
  const [left] = parseScriptArgs(REMOVE_FLANNELD, argv) ?? [];
  if (left !== undefined) {
    if (machine.services.has(networkMarker(left))) removeFlanneld(machine);
    return simulatedResult(0);
  }
  return parseScriptArgs(READ_FLANNEL_STATE, argv) && readState(machine);
}

export const simulatedFlannel: CommandSimulator = { templates: {}, execute };
