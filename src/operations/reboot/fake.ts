// How a pretend host is rebooted under a mark. Its marker is under /run, so a boot forgets it.

import type { Argv } from '../../domain/command.ts';
import type { Machine, MachineAnswer, MachineCaller, MachineFake } from '../../drivers/machine.ts';
import { bytes, fileOf, runReadOnly, said } from '../fake-answer.ts';
import { KEPT_BYTES, MOMENT_S, SETTLE_S } from './detached-script.ts';
import { lookedAtBy } from './look-at-reboot.ts';
import { ANSWER_BEGIN, SPARE_MARKER } from './mark.ts';
import type { SentReboot } from './send-reboot.ts';
import { sentBy } from './send-reboot.ts';
import type { TakenMark } from './take-mark.ts';
import { takenBy } from './take-mark.ts';

const told = (words: string): MachineAnswer => said(`${ANSWER_BEGIN} ${words}\n`);
const DENIED: MachineAnswer = { ...said(), exitCode: 1, stderr: bytes('sh: Permission denied\n') };

/** Kept with the files under /run: a boot empties /dev too. */
const spareOf = (name: string): string => `${SPARE_MARKER}${name}`;

const uptimeS = ({ uptimeMs }: Machine) => Math.floor(uptimeMs / 1000);

function comeToIt(machine: Machine, { name, deadlineS, by }: SentReboot, caller: MachineCaller): void {
  const { run } = machine;
  // The script starts by removing itself from /run.
  if (machine.isRunReadOnly) return;
  if (run.has(spareOf(name))) {
    run.set(fileOf(name, 'code'), 'marker_exists');
    return;
  }
  if (uptimeS(machine) >= deadlineS) {
    run.set(fileOf(name, 'code'), 'too_late');
    return;
  }
  if (by === null) {
    machine.reboot();
    return;
  }
  const { exitCode, stdout, stderr, tookMs = 0 } = machine.perform(by, caller);
  if (exitCode === 0) return;
  machine.after(tookMs + SETTLE_S * 1000, () => {
    run.set(fileOf(name, 'out'), Buffer.concat([stdout, stderr]).subarray(-KEPT_BYTES).toString('latin1'));
    run.set(fileOf(name, 'code'), String(exitCode));
  });
}

function send(machine: Machine, sent: SentReboot, caller: MachineCaller): MachineAnswer {
  if (machine.bootId !== sent.bootId) return told('other_boot');
  if (uptimeS(machine) >= sent.deadlineS) return told('too_late');
  if (!caller.isRoot) return DENIED;
  const word = fileOf(sent.name, 'owner');
  if (machine.run.has(spareOf(sent.name))) return told('marker_exists');
  if (machine.isRunReadOnly) return runReadOnly(sent.name);
  if (machine.run.has(word)) return told('marker_exists');
  machine.run.set(word, 'started');
  machine.after(MOMENT_S * 1000, () => comeToIt(machine, sent, caller));
  return told('started');
}

function take(
  { bootId, run, isRunReadOnly }: Machine,
  taken: TakenMark,
  { isRoot }: MachineCaller,
): MachineAnswer {
  if (bootId !== taken.bootId) return told('other_boot');
  if (!isRoot) return DENIED;
  const word = fileOf(taken.name, 'owner');
  if (!run.has(word)) run.set(isRunReadOnly ? spareOf(taken.name) : word, 'blocked');
  return told(run.get(word) ?? 'blocked');
}

function look(machine: Machine, name: string, { isRoot }: MachineCaller): MachineAnswer {
  if (!isRoot) return DENIED;
  const { bootId, run } = machine;
  const code = run.get(fileOf(name, 'code'));
  const marker = run.get(fileOf(name, 'owner')) ?? (run.has(spareOf(name)) ? 'blocked' : 'none');
  const state = code === undefined ? marker : 'failed';
  const line = `${ANSWER_BEGIN} ${bootId} ${uptimeS(machine)} ${state} ${code ?? '-'}\n`;
  return said(line + (run.get(fileOf(name, 'out')) ?? ''));
}

/** Whether a command is one that reboots a host, if the guards let it. */
export const isRebootCommand = (argv: Argv): boolean => sentBy(argv) !== undefined;

/** For every system. */
export const rebootFake: MachineFake = {
  blueprints: {},
  launches: argv => sentBy(argv)?.by ?? undefined,
  answer: (machine, argv, caller) => {
    const sent = sentBy(argv);
    if (sent !== undefined) return send(machine, sent, caller);
    const taken = takenBy(argv);
    if (taken !== undefined) return take(machine, taken, caller);
    const name = lookedAtBy(argv);
    return name === undefined ? undefined : look(machine, name, caller);
  },
};
