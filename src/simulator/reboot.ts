// Simulates the reboot guard. The marker is under /run, so a boot removes it.

import { REPLY_PREFIX, SPARE_MARKER } from '../procedures/reboot/reboot-guard.ts';
import type { BlockCommand, RebootCommand } from '../procedures/reboot/reboot-scripts.ts';
import {
  FAILURE_GRACE_S,
  MAX_REBOOT_OUTPUT_BYTES,
  parseBlockArgv,
  parseProbeArgv,
  parseRebootArgv,
  REPLY_DELAY_S,
} from '../procedures/reboot/reboot-scripts.ts';
import { jobFile, readOnlyRunReply } from './jobs.ts';
import type { CommandCaller, CommandSimulator, SimulatedMachine, SimulatedResult } from './simulated-machine.ts';
import { simulatedResult } from './simulated-machine.ts';

const rebootReply = (words: string): SimulatedResult => simulatedResult(0, `${REPLY_PREFIX} ${words}\n`);
const PERMISSION_DENIED = simulatedResult(1, '', 'sh: Permission denied\n');

/** Kept with the files under /run, because a boot also empties /dev. */
const spareMarkerPath = (name: string): string => `${SPARE_MARKER}${name}`;

const uptimeS = ({ uptimeMs }: SimulatedMachine) => Math.floor(uptimeMs / 1000);

function executeReboot(
  machine: SimulatedMachine,
  { name, deadlineS, customRebootArgv }: RebootCommand,
  caller: CommandCaller,
): void {
  const { runFiles } = machine;
  // The script first removes itself from /run, which fails here.
  if (machine.isRunReadOnly) return;
  if (runFiles.has(spareMarkerPath(name))) {
    runFiles.set(jobFile(name, 'code'), 'marker_exists');
    return;
  }
  if (uptimeS(machine) >= deadlineS) {
    runFiles.set(jobFile(name, 'code'), 'too_late');
    return;
  }
  if (customRebootArgv === null) {
    machine.power.reboot();
    return;
  }
  const { exitCode, stdout, stderr, durationMs = 0 } = machine.execute(customRebootArgv, caller);
  if (exitCode === 0) return;
  machine.power.after(durationMs + FAILURE_GRACE_S * 1000, () => {
    runFiles.set(
      jobFile(name, 'out'),
      Buffer.concat([stdout, stderr]).subarray(-MAX_REBOOT_OUTPUT_BYTES).toString('latin1'),
    );
    runFiles.set(jobFile(name, 'code'), String(exitCode));
  });
}

function replyToReboot(machine: SimulatedMachine, reboot: RebootCommand, caller: CommandCaller): SimulatedResult {
  if (machine.bootId !== reboot.bootId) return rebootReply('other_boot');
  if (uptimeS(machine) >= reboot.deadlineS) return rebootReply('too_late');
  if (!caller.isRoot) return PERMISSION_DENIED;
  const ownerFile = jobFile(reboot.name, 'owner');
  if (machine.runFiles.has(spareMarkerPath(reboot.name))) return rebootReply('marker_exists');
  if (machine.isRunReadOnly) return readOnlyRunReply(reboot.name);
  if (machine.runFiles.has(ownerFile)) return rebootReply('marker_exists');
  machine.runFiles.set(ownerFile, 'started');
  machine.power.after(REPLY_DELAY_S * 1000, () => executeReboot(machine, reboot, caller));
  return rebootReply('started');
}

function replyToBlock(
  { bootId, runFiles, isRunReadOnly }: SimulatedMachine,
  block: BlockCommand,
  { isRoot }: CommandCaller,
): SimulatedResult {
  if (bootId !== block.bootId) return rebootReply('other_boot');
  if (!isRoot) return PERMISSION_DENIED;
  const ownerFile = jobFile(block.name, 'owner');
  if (!runFiles.has(ownerFile)) runFiles.set(isRunReadOnly ? spareMarkerPath(block.name) : ownerFile, 'blocked');
  return rebootReply(runFiles.get(ownerFile) ?? 'blocked');
}

function replyToProbe(machine: SimulatedMachine, name: string, { isRoot }: CommandCaller): SimulatedResult {
  if (!isRoot) return PERMISSION_DENIED;
  const { bootId, runFiles } = machine;
  const code = runFiles.get(jobFile(name, 'code'));
  const marker = runFiles.get(jobFile(name, 'owner')) ?? (runFiles.has(spareMarkerPath(name)) ? 'blocked' : 'none');
  const state = code === undefined ? marker : 'failed';
  const line = `${REPLY_PREFIX} ${bootId} ${uptimeS(machine)} ${state} ${code ?? '-'}\n`;
  return simulatedResult(0, Buffer.from(line + (runFiles.get(jobFile(name, 'out')) ?? ''), 'latin1'));
}

export const simulatedReboot: CommandSimulator = {
  templates: {},
  nestedCommand: argv => parseRebootArgv(argv)?.customRebootArgv ?? undefined,
  execute: (machine, argv, caller) => {
    const reboot = parseRebootArgv(argv);
    if (reboot !== undefined) return replyToReboot(machine, reboot, caller);
    const block = parseBlockArgv(argv);
    if (block !== undefined) return replyToBlock(machine, block, caller);
    const name = parseProbeArgv(argv);
    return name === undefined ? undefined : replyToProbe(machine, name, caller);
  },
};
