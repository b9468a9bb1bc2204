import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { osSimulators } from '../../simulator/os/os-simulators.ts';
import { ALL_TRAITS } from '../../simulator/os/simulated-host-conformance.ts';
import { createOsRegistry, osDrivers } from './index.ts';
import type { OsDriver } from './os-driver.ts';
import { TOOLS } from './os-driver.ts';

const id = fc.constantFrom(
  ...[
    'debian',
    'ubuntu',
    'fedora',
    'centos',
    'rhel',
    'rocky',
    'almalinux',
    'flatcar',
    'coreos',
    'arch',
    'alpine',
  ],
  ...[
    'opensuse',
    'opensuse-leap',
    'opensuse-tumbleweed',
    'opensuse-microos',
    'sle-micro',
    'suse',
    'sles',
    'linux',
    '',
  ],
);

const traits = fc.record({
  id,
  variantId: fc.constantFrom('', 'coreos', 'server', 'iot'),
  isOstree: fc.boolean(),
  isContainerImage: fc.boolean(),
  isLayered: fc.boolean(),
  tools: fc.subarray([...TOOLS]).map(tools => new Set(tools)),
});

describe('the OS drivers', () => {
  test('have a fake each', () => {
    expect(Object.keys(osSimulators)).toEqual(osDrivers.map(({ type }) => type));
  });

  test('give the systems of the contract', () => {
    expect([...createOsRegistry().osNames].sort()).toEqual(
      [
        ...['fedora', 'centos', 'rhel', 'atomic', 'coreos', 'rocky', 'almalinux'],
        ...['debian', 'ubuntu', 'opensuse', 'flatcar', 'other'],
      ].sort(),
    );
  });

  test('never recognise the same system twice', () => {
    fc.assert(
      fc.property(id, traits, (name, seen) => {
        expect(osDrivers.filter(driver => driver.matchOs(name, seen) !== undefined).length).toBeLessThan(2);
      }),
      { numRuns: 3000 },
    );
  });

  test.each(TOOLS)('%s makes a difference to one of them', tool => {
    const isUsedBy = ({ matchOs, osNames }: OsDriver) =>
      ALL_TRAITS.some(traits =>
        osNames.some(
          name =>
            matchOs(name, traits) !== matchOs(name, { ...traits, tools: new Set([...traits.tools, tool]) }),
        ),
      );
    expect(osDrivers.some(driver => driver.requiredTools.includes(tool) || isUsedBy(driver))).toBe(true);
  });

  test('leave packages alone on a system booted from an OSTree', () => {
    fc.assert(
      fc.property(id, traits, (name, seen) => {
        const found = osDrivers.find(
          driver => driver.matchOs(name, { ...seen, isOstree: true }) !== undefined,
        );
        expect(found?.image).toBeDefined();
      }),
    );
  });
});
