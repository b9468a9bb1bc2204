// What the tools of image systems do to a pretend host. What an upgrade would bring is offered under the name `os`.

import { createHash } from 'node:crypto';
import type { Machine, MachineDeployment } from '../machine.ts';

export const OFFERED_OS = 'os';

export const checksumOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const isSame = (one: MachineDeployment | undefined, other: MachineDeployment): boolean =>
  one !== undefined && one.checksum === other.checksum && one.image === other.image;

/** Whether that changed anything; if not, what is staged keeps its lock. What runs already is not staged, and drops what was. */
export function stageDeployment(machine: Machine, wanted: MachineDeployment): boolean {
  const isThere = isSame(machine.staged ?? machine.booted, wanted);
  if (!isThere) machine.staged = isSame(machine.booted, wanted) ? undefined : wanted;
  return !isThere;
}
