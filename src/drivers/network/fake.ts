// How a pretend host answers what brings flanneld up and takes it away. It has the newest flanneld, which comes up at once and with
// every boot. Whatever etcd says, it is in one network.

import type { Argv } from '../../domain/command.ts';
import { NEVER } from '../../domain/command.ts';
import type { Machine, MachineAnswer, MachineFake } from '../machine.ts';
import { flannelProof } from './flannel-proof.ts';
import { ENTER, LEAVE, NO_CLIENT_MODE, UNIT } from './flanneld-script.ts';

/** The network that pretend hosts are in once they run flanneld. */
export const PRETEND_NETWORK = '10.1.0.0/16';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const said = (exitCode: number, stdout = '', stderr = ''): MachineAnswer => ({
  exitCode,
  stdout: bytes(stdout),
  stderr: bytes(stderr),
});

const [, , PROOF] = flannelProof({}).argv;

/** What tells which network it is for, kept where the service is. */
const mark = (name: string): string => `${UNIT} for ${name}`;

function enter(machine: Machine, name: string, mustKnow: string): MachineAnswer {
  if (mustKnow !== '') return said(NEVER, '', `${NO_CLIENT_MODE}\n`);
  if (machine.isDiskFull) return said(1, '', 'sh: write error: No space left on device\n');
  remove(machine);
  machine.services.add(UNIT).add(mark(name));
  return said(0);
}

function remove({ services }: Machine): void {
  for (const service of services) if (service.startsWith(UNIT)) services.delete(service);
}

const prove = ({ services }: Machine): MachineAnswer =>
  services.has(UNIT)
    ? said(0, `state active\nsaid \nhas FLANNEL_NETWORK=${PRETEND_NETWORK}\nhas FLANNEL_SUBNET=10.1.5.1/24\n`)
    : said(0, 'state inactive\nsaid \n');

function answer(machine: Machine, [, , script, , name = '', mustKnow = '']: Argv): MachineAnswer | undefined {
  switch (script) {
    case ENTER:
      return enter(machine, name, mustKnow);
    case LEAVE:
      if (machine.services.has(mark(name))) remove(machine);
      return said(0);
    case PROOF:
      return prove(machine);
    default:
      return undefined;
  }
}

/** For every system. */
export const flannelFake: MachineFake = { blueprints: {}, answer };
