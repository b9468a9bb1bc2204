import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { osFakes } from './fakes.ts';
import { createOsRegistry, osDrivers } from './index.ts';

const traits = fc.record({
  variantId: fc.constantFrom('', 'coreos', 'server', 'iot'),
  versionId: fc.constantFrom('', '43', '12'),
  isOstree: fc.boolean(),
  isContainerImage: fc.boolean(),
  tools: fc
    .subarray(['apt-get', 'dnf', 'yum', 'zypper', 'rpm-ostree', 'bootc', 'transactional-update'])
    .map(tools => new Set(tools)),
});

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
  ...['opensuse', 'opensuse-leap', 'opensuse-tumbleweed', 'opensuse-microos', 'suse', 'sles', 'linux', ''],
);

describe('the OS drivers', () => {
  test('have a fake each', () => {
    expect(Object.keys(osFakes)).toEqual(osDrivers.map(({ type }) => type));
  });

  test('give the systems of the contract', () => {
    expect([...createOsRegistry().systems].sort()).toEqual(
      [
        ...['fedora', 'centos', 'rhel', 'atomic', 'coreos', 'rocky', 'almalinux'],
        ...['debian', 'ubuntu', 'opensuse', 'flatcar', 'other'],
      ].sort(),
    );
  });

  test('never recognise the same system twice', () => {
    fc.assert(
      fc.property(id, traits, (name, seen) => {
        expect(osDrivers.filter(driver => driver.recognise(name, seen) !== undefined).length).toBeLessThan(2);
      }),
      { numRuns: 3000 },
    );
  });

  test('leave packages alone on a system booted from an OSTree', () => {
    fc.assert(
      fc.property(id, traits, (name, seen) => {
        const found = osDrivers.find(
          driver => driver.recognise(name, { ...seen, isOstree: true }) !== undefined,
        );
        expect(found?.image).toBeDefined();
      }),
    );
  });
});
