// The part of `conformance.ts` that goes from a fresh pretend host to one that is upgraded or has another version.

import { describe, expect, test } from 'vitest';
import type { Argv, Question } from '../../domain/command.ts';
import type { MachineFake } from '../machine.ts';
import { PretendMachine, ROOT } from '../pretend-machine.ts';
import { textOf } from './answer-text.ts';
import { OFFERED_OS } from './fake-deployments.ts';
import type { OsDriver } from './os-driver.ts';

/** A name that no constant has. */
export const NAME = 'zz-name-9';

export const present = <Value>(value: Value | undefined): Value => {
  if (value === undefined) throw new Error('it answered undefined');
  return value;
};

export function pretendHostConforms(
  driver: OsDriver,
  fake: MachineFake,
  os: string,
  targets: readonly string[],
): void {
  const answer = (machine: PretendMachine, argv: Argv) => present(fake.answer(machine, argv, ROOT));
  const ask = <Answer>(machine: PretendMachine, question: Question<Answer>) =>
    present(question.read(answer(machine, question.argv)));
  /** Each command twice, since each may be repeated. */
  const run = (machine: PretendMachine, commands: readonly Argv[]) => {
    for (const argv of commands.flatMap(command => [command, command])) {
      const { exitCode, stderr } = answer(machine, argv);
      expect(exitCode, `${argv.join(' ')}: ${textOf(stderr)}`).toBe(0);
    }
  };

  const stateOf = ({ packages, downloaded, services, run: files, booted, staged }: PretendMachine) =>
    structuredClone({ packages, downloaded, services, files, booted, staged });

  describe(`on a pretend ${os}`, () => {
    const fresh = () => new PretendMachine(present(fake.blueprints[os]));

    test('installs and enables, or says that nothing can be installed', () => {
      const machine = fresh();
      const extra = [...machine.offered.keys()].filter(
        name => name !== OFFERED_OS && !machine.packages.has(name),
      );
      const install = driver.install(extra.length === 0 ? [NAME] : extra);
      run(machine, install ?? []);
      run(machine, driver.enable(['etcd.service']));
      expect(extra.every(name => machine.packages.has(name)) && machine.services.has('etcd.service')).toBe(
        true,
      );
      expect(install === undefined).toBe(extra.length === 0);
    });

    test('is upgraded: staging disturbs nobody, and what was applied counts after a reboot', () => {
      const machine = fresh();
      const before = new Map(machine.packages);
      expect(ask(machine, driver.rebootNeed)).toBe(false);
      run(machine, driver.upgrade.stage);
      expect([machine.packages, machine.wantsReboot]).toEqual([before, false]);
      expect(machine.downloaded.size > 0 || machine.staged !== undefined).toBe(true);
      run(machine, driver.upgrade.apply);
      expect([ask(machine, driver.rebootNeed), machine.wantsReboot]).toEqual([true, false]);
      const staged = machine.staged;
      machine.boot();
      expect(ask(machine, driver.rebootNeed)).toBe(false);
      if (driver.image) expect(machine.booted).toEqual(staged);
      else expect(machine.packages).not.toEqual(before);
    });

    test('has something to apply once it is staged, and nothing any more after the upgrade', () => {
      const machine = fresh();
      run(machine, driver.upgrade.stage);
      const staged = stateOf(machine);
      expect(ask(machine, driver.upgrade.pending)).toBe(true);
      expect(stateOf(machine), 'to ask changes nothing').toEqual(staged);
      run(machine, driver.upgrade.apply);
      machine.boot();
      const upgraded = stateOf(machine);
      run(machine, driver.upgrade.stage);
      expect(ask(machine, driver.upgrade.pending)).toBe(false);
      run(machine, driver.upgrade.apply);
      expect([stateOf(machine), ask(machine, driver.rebootNeed)]).toEqual([upgraded, false]);
    });

    const { lock = [] } = driver.image ?? {};
    if (lock.length > 0)
      test('stays what it was when what was applied is locked again, and can be upgraded then', () => {
        const machine = fresh();
        const { booted } = machine;
        run(machine, lock);
        run(machine, driver.upgrade.stage);
        const offered = machine.staged?.checksum;
        run(machine, driver.upgrade.apply);
        run(machine, lock);
        machine.boot();
        expect(machine.booted).toEqual(booted);
        run(machine, driver.upgrade.stage);
        run(machine, driver.upgrade.apply);
        machine.boot();
        expect(machine.booted?.checksum).toBe(offered);
      });

    test('says what is wrong when its disk is full, and stages nothing', () => {
      const machine = fresh();
      machine.isDiskFull = true;
      const [target] = targets;
      const stage = target === undefined ? driver.upgrade.stage : present(driver.image?.stage(target));
      const failed = stage.map(argv => answer(machine, argv)).find(({ exitCode }) => exitCode !== 0);
      expect(present(failed).stderr.length).toBeGreaterThan(0);
      expect([machine.downloaded.size, machine.staged]).toEqual([0, undefined]);
    });

    test('knows no command of others', () => {
      expect(fake.answer(fresh(), ['no-such-tool'], ROOT)).toBeUndefined();
    });

    test.each(targets)('deploys %s', target => {
      const [machine, image] = [fresh(), present(driver.image)];
      const before = present(ask(machine, image.deployments).booted);
      expect(image.isTarget(target, before)).toBe(false);
      run(machine, present(image.stage(target)));
      const staged = present(ask(machine, image.deployments).staged);
      const { commands: finalize, reboots } = image.finalize(staged);
      run(machine, finalize);
      expect(machine.wantsReboot).toBe(reboots);
      machine.boot();
      expect(ask(machine, image.deployments)).toEqual({ booted: staged, staged: undefined });
      const isMoving = target.includes('/') && !target.includes('@sha256:');
      expect(image.isTarget(target, staged)).toBe(!isMoving);
    });
  });
}
