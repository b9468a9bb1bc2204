import { expect, test } from 'vitest';
import type { KubeNode } from '../../../integrations/kubernetes/nodes.ts';
import { toNodeFacts } from './kubernetes.ts';

const NODE: KubeNode = {
  ...{ name: 'n', uid: 'u', resourceVersion: '1', labels: {}, annotations: {}, addresses: [] },
  ...{
    isUnschedulable: false,
    cordonFieldManagers: [],
    hostname: undefined,
    bootId: undefined,
    osImage: undefined,
  },
  ...{ capacity: {}, conditions: {} },
};

test.each([
  ['Fedora CoreOS 40.20240504.3.0', 'coreos'],
  ['Red Hat Enterprise Linux CoreOS 414.92.202310210434-0 (Plow)', 'atomic'],
  ['CentOS Stream CoreOS 9.0.20240701-0', 'atomic'],
  ['Fedora Linux 39.20231101.0 (Silverblue)', 'atomic'],
  ['Red Hat Enterprise Linux Atomic Host 7.9', 'atomic'],
  ['Fedora Linux 40 (Server Edition)', 'fedora'],
  ['CentOS Linux 7 (Core)', 'centos'],
  ['CentOS Stream 9', 'centos'],
  ['Red Hat Enterprise Linux 9.4 (Plow)', 'rhel'],
  ['Rocky Linux 9.3 (Blue Onyx)', 'rocky'],
  ['AlmaLinux 9.3 (Shamrock Pampas Cat)', 'almalinux'],
  ['Debian GNU/Linux 12 (bookworm)', 'debian'],
  ['Ubuntu 22.04.4 LTS', 'ubuntu'],
  ['Ubuntu Core 22', undefined],
  ['openSUSE Leap 15.6', 'opensuse'],
  ['openSUSE Tumbleweed', 'opensuse'],
  ['openSUSE Leap Micro 5.5', undefined],
  ['openSUSE MicroOS', undefined],
  ['Flatcar Container Linux by Kinvolk 3815.2.0 (Oklo)', 'flatcar'],
  ['Bottlerocket OS 1.19.4 (aws-k8s-1.29)', undefined],
  ['', undefined],
])('toNodeFacts for osImage %j returns os %s', (osImage, os) => {
  expect(toNodeFacts({ ...NODE, osImage }).os).toBe(os);
});

test('toNodeFacts returns whole CPUs, KiB, host name and conditions', () => {
  const capacity = { cpu: '3920m', memory: '16393244Ki', 'ephemeral-storage': '1e9', pods: '110' };
  const conditions = { Ready: 'True', DiskPressure: 'False' };
  expect(toNodeFacts({ ...NODE, capacity, conditions, hostname: 'node-1' })).toEqual({
    ...{ cpus: 3, memoryKib: 16_393_244, spaceKib: 976_562, hostname: 'node-1' },
    conditions,
  });
});
