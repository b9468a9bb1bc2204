import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ALL_TRAITS } from '../../../test/conformance/simulated-host.ts';
import { osSimulators } from '../../simulator/os/os-simulators.ts';
import { createOsRegistry, osDrivers } from './index.ts';
import type { OsDriver } from './os-driver.ts';
import { TOOLS } from './os-driver.ts';

const id = fc.constantFrom(
  ...['debian', 'ubuntu', 'fedora', 'centos', 'rhel', 'rocky', 'almalinux', 'flatcar', 'coreos', 'arch', 'alpine'],
  ...['opensuse', 'opensuse-leap', 'opensuse-tumbleweed', 'opensuse-microos', 'sle-micro', 'suse', 'sles', 'linux', ''],
);

const traits = fc.record({
  id,
  variantId: fc.constantFrom('', 'coreos', 'server', 'iot'),
  isOstree: fc.boolean(),
  isContainerImage: fc.boolean(),
  isLayered: fc.boolean(),
  tools: fc.subarray([...TOOLS]).map(tools => new Set(tools)),
});

describe('OS drivers', () => {
  test('have a simulator each', () => {
    expect(Object.keys(osSimulators)).toEqual(osDrivers.map(({ type }) => type));
  });

  test('define the documented OS names', () => {
    expect([...createOsRegistry().osNames].sort()).toEqual(
      [
        ...['fedora', 'centos', 'rhel', 'atomic', 'coreos', 'rocky', 'almalinux'],
        ...['debian', 'ubuntu', 'opensuse', 'flatcar', 'other'],
      ].sort(),
    );
  });

  test('match each system at most once', () => {
    fc.assert(
      fc.property(id, traits, (name, systemTraits) => {
        expect(osDrivers.filter(driver => driver.matchOs(name, systemTraits) !== undefined).length).toBeLessThan(2);
      }),
      { numRuns: 3000 },
    );
  });

  test.each(TOOLS)('use the tool %s', tool => {
    const isUsedBy = ({ matchOs, osNames }: OsDriver) =>
      ALL_TRAITS.some(traits =>
        osNames.some(
          name => matchOs(name, traits) !== matchOs(name, { ...traits, tools: new Set([...traits.tools, tool]) }),
        ),
      );
    expect(osDrivers.some(driver => driver.requiredTools.includes(tool) || isUsedBy(driver))).toBe(true);
  });

  test('treat an OSTree system as image-based', () => {
    fc.assert(
      fc.property(id, traits, (name, systemTraits) => {
        const found = osDrivers.find(driver => driver.matchOs(name, { ...systemTraits, isOstree: true }) !== undefined);
        expect(found?.image).toBeDefined();
      }),
    );
  });
});
