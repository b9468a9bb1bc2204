// The part of the OS driver conformance suite that upgrades and deploys on a simulated host.

import { describe, expect, test } from 'vitest';
import type { Argv, HostQuery } from '../../src/domain/command.ts';
import { decodeText } from '../../src/drivers/os/command-output.ts';
import type { OsDriver, SystemTraits, Tool } from '../../src/drivers/os/os-driver.ts';
import { TOOLS } from '../../src/drivers/os/os-driver.ts';
import { AVAILABLE_OS } from '../../src/simulator/os/software.ts';
import type { CommandSimulator } from '../../src/simulator/simulated-machine.ts';
import { FixtureMachine, ROOT } from '../harness/simulation/fixture-machine.ts';

/** A name that occurs in no constant of a driver. */
export const PROBE_NAME = 'zz-name-9';

export const assertDefined = <Value>(value: Value | undefined): Value => {
  if (value === undefined) throw new Error('expected a defined value');
  return value;
};

export function simulatedHostConforms(
  driver: OsDriver,
  simulator: CommandSimulator,
  os: string,
  targets: readonly string[],
): void {
  const execute = (machine: FixtureMachine, argv: Argv) => assertDefined(simulator.execute(machine, argv, ROOT));
  const query = <Result>(machine: FixtureMachine, hostQuery: HostQuery<Result>) =>
    assertDefined(hostQuery.parse(execute(machine, hostQuery.argv)));
  /** Runs each command twice, because every command must be repeatable. */
  const run = (machine: FixtureMachine, commands: readonly Argv[]) => {
    for (const argv of commands.flatMap(command => [command, command])) {
      const { exitCode, stderr } = execute(machine, argv);
      expect(exitCode, `${argv.join(' ')}: ${decodeText(stderr)}`).toBe(0);
    }
  };

  const machineState = ({ packages, downloaded, services, runFiles: files, booted, staged }: FixtureMachine) =>
    structuredClone({ packages, downloaded, services, files, booted, staged });

  describe(`on simulated ${os}`, () => {
    const fresh = () => new FixtureMachine(assertDefined(simulator.templates[os]));

    test('installs packages, or reports that it cannot', () => {
      const machine = fresh();
      const extra = [...machine.available.keys()].filter(name => name !== AVAILABLE_OS && !machine.packages.has(name));
      const install = driver.install(extra.length === 0 ? [PROBE_NAME] : extra);
      run(machine, install ?? []);
      expect(extra.every(name => machine.packages.has(name))).toBe(true);
      expect(install === undefined).toBe(extra.length === 0);
    });

    test('stages without disruption, and the upgrade takes effect after a reboot', () => {
      const machine = fresh();
      const before = new Map(machine.packages);
      expect(query(machine, driver.rebootRequired)).toBe(false);
      run(machine, driver.upgrade.stage);
      expect([machine.packages, machine.rebootRequested]).toEqual([before, false]);
      expect(machine.downloaded.size > 0 || machine.staged !== undefined).toBe(true);
      run(machine, driver.upgrade.apply);
      expect([query(machine, driver.rebootRequired), machine.rebootRequested]).toEqual([true, false]);
      const staged = machine.staged;
      machine.boot();
      expect(query(machine, driver.rebootRequired)).toBe(false);
      if (driver.image) expect(machine.booted).toEqual(staged);
      else expect(machine.packages).not.toEqual(before);
    });

    test('has updates after staging, and none after the upgrade', () => {
      const machine = fresh();
      run(machine, driver.upgrade.stage);
      const staged = machineState(machine);
      expect(query(machine, driver.upgrade.hasUpdates)).toBe(true);
      expect(machineState(machine), 'a query changes nothing').toEqual(staged);
      run(machine, driver.upgrade.apply);
      machine.boot();
      const upgraded = machineState(machine);
      run(machine, driver.upgrade.stage);
      expect(query(machine, driver.upgrade.hasUpdates)).toBe(false);
      run(machine, driver.upgrade.apply);
      expect([machineState(machine), query(machine, driver.rebootRequired)]).toEqual([upgraded, false]);
    });

    const { lock = [] } = driver.image ?? {};
    if (lock.length > 0)
      test('boots the old version if the deployment is locked again, and can still be upgraded', () => {
        const machine = fresh();
        const { booted } = machine;
        run(machine, lock);
        run(machine, driver.upgrade.stage);
        const available = machine.staged?.checksum;
        run(machine, driver.upgrade.apply);
        run(machine, lock);
        machine.boot();
        expect(machine.booted).toEqual(booted);
        run(machine, driver.upgrade.stage);
        run(machine, driver.upgrade.apply);
        machine.boot();
        expect(machine.booted?.checksum).toBe(available);
      });

    test('reports a full disk and stages nothing', () => {
      const machine = fresh();
      machine.isDiskFull = true;
      const [target] = targets;
      const stage = target === undefined ? driver.upgrade.stage : assertDefined(driver.image?.stage(target));
      const failed = stage.map(argv => execute(machine, argv)).find(({ exitCode }) => exitCode !== 0);
      expect(assertDefined(failed).stderr.length).toBeGreaterThan(0);
      expect([machine.downloaded.size, machine.staged]).toEqual([0, undefined]);
    });

    test('does not handle commands of other tools', () => {
      expect(simulator.execute(fresh(), ['no-such-tool'], ROOT)).toBeUndefined();
    });

    test.each(targets)('deploys %s', target => {
      const [machine, image] = [fresh(), assertDefined(driver.image)];
      const before = assertDefined(query(machine, image.deployments).booted);
      expect(image.matchesTarget(target, before)).toBe(false);
      run(machine, assertDefined(image.stage(target)));
      const staged = assertDefined(query(machine, image.deployments).staged);
      const { commands: finalize, reboots } = image.finalize(staged);
      run(machine, finalize);
      expect(machine.rebootRequested).toBe(reboots);
      machine.boot();
      expect(query(machine, image.deployments)).toEqual({ booted: staged, staged: undefined });
      const isMoving = target.includes('/') && !target.includes('@sha256:');
      expect(image.matchesTarget(target, staged)).toBe(!isMoving);
    });
  });
}

const TOOL_SETS = TOOLS.reduce<Tool[][]>((sets, tool) => sets.flatMap(set => [set, [...set, tool]]), [[]]);

/** Every combination of the traits that drivers check. */
export const ALL_TRAITS: readonly SystemTraits[] = TOOL_SETS.map(set => new Set(set)).flatMap(tools =>
  ['some-system', 'sle-micro'].flatMap(id =>
    ['', 'coreos'].flatMap(variantId =>
      [false, true].flatMap(isOstree =>
        [false, true].flatMap(isContainerImage =>
          [false, true].map(isLayered => ({ id, variantId, isOstree, isContainerImage, isLayered, tools })),
        ),
      ),
    ),
  ),
);
