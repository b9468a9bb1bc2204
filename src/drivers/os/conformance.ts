// What must hold for every OS driver and its fake. Exact commands are for the driver's own test.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Question } from '../../domain/command.ts';
import type { MachineFake } from '../machine.ts';
import { PretendMachine, ROOT } from '../pretend-machine.ts';
import { said, scriptOf } from './fake-answers.ts';
import { onAnySystem } from './fake-system.ts';
import { createOsRegistry, osDrivers } from './index.ts';
import type { OsDriver } from './os-driver.ts';
import { NAME, present, pretendHostConforms } from './pretend-host-conformance.ts';
import { TRAITS } from './traits-conformance.ts';

interface Given {
  /** Every driver there is, this one among them. */
  readonly drivers?: readonly OsDriver[];
  /** Of an image system: what can be deployed, and what cannot. */
  readonly targets?: readonly string[];
  readonly badTargets?: readonly string[];
}

const PLAIN = /^[A-Za-z0-9@%+=:,./_~*-]+$/;
const INTERACTIVE = /^(?:less|more|most|vi|vim|nano|passwd|read|-i|--interactive)$/;

export function osConforms(driver: OsDriver, bareFake: MachineFake, given: Given = {}): void {
  const { drivers = osDrivers, targets = [], badTargets = [] } = given;
  const { facts } = createOsRegistry(drivers);
  const fake = onAnySystem(bareFake);

  const commands = [
    ...(driver.install([NAME, `${NAME}-2`]) ?? []),
    ...driver.enable([`${NAME}.service`]),
    ...driver.upgrade.stage,
    driver.upgrade.pending.argv,
    ...driver.upgrade.apply,
    driver.rebootNeed.argv,
    ...(driver.image ? [driver.image.deployments.argv] : []),
    ...targets.flatMap(target => present(driver.image?.stage(target))),
    ...(driver.image?.finalize({ version: NAME, checksum: NAME, image: NAME }).commands ?? []),
    ...(driver.image?.lock ?? []),
  ];

  describe(`the OS driver ${driver.type}`, () => {
    test('is in the list once', () => {
      expect(drivers.filter(({ type }) => type === driver.type)).toEqual([driver]);
    });

    const names = [
      ...drivers.flatMap(({ systems }) => systems),
      ...['opensuse-leap', 'opensuse-microos', 'sles', 'arch', 'no-such-system'],
    ];

    test('gives exactly the systems that it names', () => {
      const found = names.flatMap(name => TRAITS.map(traits => driver.recognise(name, traits)));
      expect(new Set(found.filter(os => os !== undefined))).toEqual(new Set(driver.systems));
    });

    test('recognises nothing that another driver does', () => {
      const others = drivers.filter(other => other !== driver);
      const shared = names.flatMap(name =>
        TRAITS.filter(traits => driver.recognise(name, traits) !== undefined).flatMap(traits =>
          others
            .filter(other => other.recognise(name, traits) !== undefined)
            .map(({ type }) => ({ type, name, traits })),
        ),
      );
      expect(shared.slice(0, 3)).toEqual([]);
    });

    test('has a blueprint for each of its systems, and for no other', () => {
      expect(Object.keys(fake.blueprints).sort()).toEqual([...driver.systems].sort());
    });

    test.each(driver.systems)('recognises its %s by the facts', os => {
      const machine = new PretendMachine(present(fake.blueprints[os]), 'node-7');
      expect(facts.read(present(fake.answer(machine, facts.argv, ROOT)))).toEqual({
        hostname: 'node-7',
        bootId: machine.bootId,
        os,
        osDriver: driver.type,
        cpus: machine.cpus,
        memoryKib: machine.memoryKib,
        spaceKib: machine.spaceKib,
      });
    });

    test.each(driver.systems)('leaves a %s alone that has none of the tools', os => {
      const machine = new PretendMachine({ ...present(fake.blueprints[os]), tools: [] });
      const osDriver = driver.needs.length === 0 ? driver.type : '';
      expect(facts.read(present(fake.answer(machine, facts.argv, ROOT)))).toMatchObject({ os, osDriver });
    });

    test('says argument lists; what varies is an argument of its own, and never part of a script', () => {
      for (const argv of commands) {
        const script = scriptOf(argv)?.script;
        expect(script ?? '', 'a script is constant').not.toContain(NAME);
        for (const arg of argv.filter(word => word !== script)) expect(arg).toMatch(PLAIN);
      }
    });

    test('asks no question and opens no pager', () => {
      expect(commands.flat().filter(word => INTERACTIVE.test(word))).toEqual([]);
    });

    test('has nothing to do where nothing is asked', () => {
      expect([driver.install([]), driver.enable([])]).toEqual([[], []]);
    });

    test('installs nothing that its tool would take for an option', () => {
      expect([driver.install(['--option']), driver.install([NAME, '-o'])]).toEqual([undefined, undefined]);
    });

    test('reads anything without an exception, and makes nothing of what makes no sense', () => {
      const questions: Question<unknown>[] = [
        driver.rebootNeed,
        driver.upgrade.pending,
        ...(driver.image ? [driver.image.deployments] : []),
      ];
      for (const question of questions) {
        expect(question.read(said(127, '', 'sh: not found\n'))).toBeUndefined();
        const anything = fc.record({
          exitCode: fc.nat(255),
          stdout: fc.uint8Array(),
          stderr: fc.uint8Array(),
        });
        fc.assert(fc.property(anything, ran => void question.read(ran)));
      }
    });

    for (const os of driver.systems) pretendHostConforms(driver, fake, os, targets);

    test.each(badTargets)('cannot deploy %j', target => {
      expect(driver.image?.stage(target)).toBeUndefined();
      const named = { version: target, checksum: target, image: target };
      expect(driver.image?.isTarget(target, named)).toBe(false);
    });

    test('deploys if and only if it is an image system', () => {
      expect(targets.length > 0).toBe(driver.image !== undefined);
    });
  });
}
