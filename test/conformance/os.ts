// Requirements for every OS driver and its simulator. The tests of a driver check its exact commands.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HostQuery } from '../../src/domain/command.ts';
import { createOsRegistry, osDrivers } from '../../src/drivers/os/index.ts';
import type { OsDriver } from '../../src/drivers/os/os-driver.ts';
import { withCommonCommands } from '../../src/simulator/os/os-simulators.ts';
import type { CommandSimulator } from '../../src/simulator/simulated-machine.ts';
import { parseShellScript, simulatedResult } from '../../src/simulator/simulated-machine.ts';
import { FixtureMachine, ROOT } from '../harness/simulation/fixture-machine.ts';
import { ALL_TRAITS, assertDefined, PROBE_NAME, simulatedHostConforms } from './simulated-host.ts';

interface SuiteOptions {
  readonly drivers?: readonly OsDriver[];
  /** For image-based systems: valid and invalid versions to deploy. */
  readonly targets?: readonly string[];
  readonly badTargets?: readonly string[];
}

const PLAIN_WORD = /^[A-Za-z0-9@%+=:,./_~*-]+$/;
const INTERACTIVE = /^(?:less|more|most|vi|vim|nano|passwd|read|-i|--interactive)$/;

export function osConforms(driver: OsDriver, ownSimulator: CommandSimulator, options: SuiteOptions = {}): void {
  const { drivers = osDrivers, targets = [], badTargets = [] } = options;
  const { facts } = createOsRegistry(drivers);
  const simulator = withCommonCommands(ownSimulator);

  const commands = [
    ...(driver.install([PROBE_NAME, `${PROBE_NAME}-2`]) ?? []),
    ...driver.upgrade.stage,
    driver.upgrade.hasUpdates.argv,
    ...driver.upgrade.apply,
    driver.rebootRequired.argv,
    ...(driver.image ? [driver.image.deployments.argv] : []),
    ...targets.flatMap(target => assertDefined(driver.image?.stage(target))),
    ...(driver.image?.finalize({ version: PROBE_NAME, checksum: PROBE_NAME, image: PROBE_NAME }).commands ?? []),
    ...(driver.image?.lock ?? []),
  ];

  describe(`OS driver ${driver.type}`, () => {
    test('is registered once', () => {
      expect(drivers.filter(({ type }) => type === driver.type)).toEqual([driver]);
    });

    const names = [
      ...drivers.flatMap(({ osNames }) => osNames),
      ...['opensuse-leap', 'opensuse-microos', 'sles', 'arch', 'no-such-system'],
    ];

    test('matches exactly the systems in osNames', () => {
      const found = names.flatMap(name => ALL_TRAITS.map(traits => driver.matchOs(name, traits)));
      expect(new Set(found.filter(os => os !== undefined))).toEqual(new Set(driver.osNames));
    });

    test('matches no system of another driver', () => {
      const others = drivers.filter(other => other !== driver);
      const shared = names.flatMap(name =>
        ALL_TRAITS.filter(traits => driver.matchOs(name, traits) !== undefined).flatMap(traits =>
          others.filter(other => other.matchOs(name, traits) !== undefined).map(({ type }) => ({ type, name, traits })),
        ),
      );
      expect(shared.slice(0, 3)).toEqual([]);
    });

    test('has a machine template for each of its systems, and for no other', () => {
      expect(Object.keys(simulator.templates).sort()).toEqual([...driver.osNames].sort());
    });

    test.each(driver.osNames)('detects %s from the facts', os => {
      const machine = new FixtureMachine(assertDefined(simulator.templates[os]), 'node-7');
      expect(facts.parse(assertDefined(simulator.execute(machine, facts.argv, ROOT)))).toEqual({
        hostname: 'node-7',
        bootId: machine.bootId,
        os,
        osDriver: driver.type,
        osVersion: expect.any(String),
        kernel: '6.1.0-28-amd64',
        architecture: 'x86_64',
        uptimeS: Math.floor(machine.uptimeMs / 1000),
        cpus: machine.cpus,
        memoryKib: machine.memoryKib,
        spaceKib: machine.spaceKib,
      });
    });

    test.each(driver.osNames)('does not support %s without its tools', os => {
      const machine = new FixtureMachine({ ...assertDefined(simulator.templates[os]), tools: [] });
      const osDriver = driver.requiredTools.length === 0 ? driver.type : '';
      expect(facts.parse(assertDefined(simulator.execute(machine, facts.argv, ROOT)))).toMatchObject({
        os,
        osDriver,
      });
    });

    test('passes variable values only as separate arguments, never inside a script', () => {
      for (const argv of commands) {
        const script = parseShellScript(argv)?.script;
        expect(script ?? '', 'a script is constant').not.toContain(PROBE_NAME);
        for (const arg of argv.filter(word => word !== script)) expect(arg).toMatch(PLAIN_WORD);
      }
    });

    test('uses no interactive commands or pagers', () => {
      expect(commands.flat().filter(word => INTERACTIVE.test(word))).toEqual([]);
    });

    test('needs no commands to install nothing', () => {
      expect(driver.install([])).toEqual([]);
    });

    test('rejects package names that look like options', () => {
      expect([driver.install(['--option']), driver.install([PROBE_NAME, '-o'])]).toEqual([undefined, undefined]);
    });

    test('parses any output without an exception, and returns undefined for malformed output', () => {
      const queries: HostQuery<unknown>[] = [
        driver.rebootRequired,
        driver.upgrade.hasUpdates,
        ...(driver.image ? [driver.image.deployments] : []),
      ];
      for (const query of queries) {
        expect(query.parse(simulatedResult(127, '', 'sh: not found\n'))).toBeUndefined();
        const anyResult = fc.record({
          exitCode: fc.nat(255),
          stdout: fc.uint8Array(),
          stderr: fc.uint8Array(),
        });
        fc.assert(fc.property(anyResult, result => void query.parse(result)));
      }
    });

    for (const os of driver.osNames) simulatedHostConforms(driver, simulator, os, targets);

    test.each(badTargets)('rejects the deploy target %j', target => {
      expect(driver.image?.stage(target)).toBeUndefined();
      const named = { version: target, checksum: target, image: target };
      expect(driver.image?.matchesTarget(target, named)).toBe(false);
    });

    test('has deploy targets only if it is image-based', () => {
      expect(targets.length > 0).toBe(driver.image !== undefined);
    });
  });
}
