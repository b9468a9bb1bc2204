import { describe, expect, test } from 'vitest';
import { simulatedResult } from '../../simulator/simulated-machine.ts';
import { createOsRegistry } from './index.ts';

const { facts } = createOsRegistry();

const factsOutput = (lines: readonly string[]) =>
  ['hostler-facts-begin', 'boot-id 0f5ad1f2-2b8e-4a11-9d59-6b0ff4f0a9c3', ...lines, 'hostler-facts-end', ''].join('\n');

describe('OS detection', () => {
  const ostree = ['ostree yes'];
  const image = ['ostree yes', 'container-image yes'];
  test.each<[string, string[], string, string]>([
    ['Debian', ['os-release ID=debian', 'tool apt-get'], 'debian', 'apt'],
    [
      'Ubuntu with ID_LIKE=debian',
      ['os-release ID=ubuntu', 'os-release ID_LIKE=debian', 'tool apt-get'],
      'ubuntu',
      'apt',
    ],
    ['Raspbian', ['os-release ID=raspbian', 'os-release ID_LIKE=debian', 'tool apt-get'], 'debian', 'apt'],
    ['Linux Mint', ['os-release ID=linuxmint', 'os-release ID_LIKE="ubuntu debian"', 'tool apt-get'], 'ubuntu', 'apt'],
    ['Ubuntu Core', ['os-release ID=ubuntu-core', 'os-release ID_LIKE=debian'], 'debian', ''],
    ['RHEL with only microdnf', ['os-release ID="rhel"', 'os-release ID_LIKE="fedora"'], 'rhel', ''],
    ['Fedora', ['os-release ID=fedora', 'os-release VARIANT_ID=server', 'tool dnf', 'tool yum'], 'fedora', 'dnf'],
    ['CentOS 7', ['os-release ID="centos"', 'os-release ID_LIKE="rhel fedora"', 'tool yum'], 'centos', 'yum'],
    ['Rocky Linux', ['os-release ID="rocky"', 'os-release ID_LIKE="rhel centos fedora"', 'tool dnf'], 'rocky', 'dnf'],
    ['Oracle Linux', ['os-release ID="ol"', 'os-release ID_LIKE="fedora"', 'tool dnf'], 'fedora', 'dnf'],
    ['Amazon Linux', ['os-release ID="amzn"', 'os-release ID_LIKE="fedora"', 'tool dnf'], 'fedora', 'dnf'],
    [
      'Fedora CoreOS',
      ['os-release ID=fedora', 'os-release VARIANT_ID=coreos', 'tool rpm-ostree', ...ostree],
      'coreos',
      'rpm-ostree',
    ],
    [
      'Fedora CoreOS from an image',
      ['os-release ID=fedora', 'os-release VARIANT_ID=coreos', 'tool rpm-ostree', 'tool bootc', ...image],
      'coreos',
      'rpm-ostree',
    ],
    [
      'Fedora CoreOS without the OSTree marker',
      ['os-release ID=fedora', 'os-release VARIANT_ID=coreos', 'tool rpm-ostree', 'tool dnf'],
      'coreos',
      'rpm-ostree',
    ],
    [
      'Fedora IoT',
      ['os-release ID=fedora', 'os-release VARIANT_ID=iot', 'tool rpm-ostree', 'tool dnf', ...ostree],
      'atomic',
      'rpm-ostree',
    ],
    [
      'RHEL CoreOS',
      ['os-release ID="rhel"', 'os-release VARIANT_ID=coreos', 'tool rpm-ostree', ...ostree],
      'atomic',
      'rpm-ostree',
    ],
    ['CentOS from an image', ['os-release ID="centos"', 'tool bootc', 'tool dnf', ...image], 'atomic', 'bootc'],
    ['an image without bootc', ['os-release ID="centos"', 'tool rpm-ostree', ...image], 'atomic', 'rpm-ostree'],
    [
      'an image with layered packages',
      ['os-release ID="centos"', 'tool bootc', 'tool rpm-ostree', 'layered yes', ...image],
      'atomic',
      'rpm-ostree',
    ],
    [
      'bootc without an image',
      ['os-release ID="centos"', 'tool bootc', 'tool rpm-ostree', ...ostree],
      'atomic',
      'rpm-ostree',
    ],
    ['an image without rpm-ostree and bootc', ['os-release ID="centos"', 'tool dnf', ...image], 'atomic', ''],
    ['Debian on OSTree', ['os-release ID=debian', 'tool apt-get', ...ostree], 'atomic', ''],
    [
      'Flatcar with ID_LIKE=coreos',
      ['os-release ID=flatcar', 'os-release ID_LIKE=coreos', 'tool update_engine_client'],
      'flatcar',
      'flatcar',
    ],
    [
      'openSUSE Leap',
      ['os-release ID="opensuse-leap"', 'os-release ID_LIKE="suse opensuse"', 'tool zypper'],
      'opensuse',
      'zypper',
    ],
    ['SLES', ['os-release ID="sles"', 'os-release ID_LIKE="suse"', 'tool zypper'], 'opensuse', 'zypper'],
    [
      'openSUSE MicroOS',
      [
        'os-release ID="opensuse-microos"',
        'os-release ID_LIKE="suse opensuse"',
        'tool zypper',
        'tool transactional-update',
      ],
      'other',
      '',
    ],
    ...['sle-micro', 'sl-micro', 'opensuse-leap-micro', 'opensuse-microos', 'aeon', 'kalpa'].map(
      (id): [string, string[], string, string] => [
        `${id} without transactional-update in PATH`,
        [`os-release ID="${id}"`, 'os-release ID_LIKE="suse opensuse"', 'tool zypper'],
        'other',
        '',
      ],
    ),
    ['Arch Linux', ['os-release ID=arch'], 'other', ''],
    ['a host without os-release', [], 'other', ''],
  ])('recognizes %s', (_label, lines, os, osDriver) => {
    expect(facts.parse(simulatedResult(0, factsOutput(lines)))).toMatchObject({ os, osDriver });
  });
});
