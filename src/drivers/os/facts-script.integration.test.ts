// Runs the script on this machine, and in a minimal root with busybox.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { describe, expect, test } from 'vitest';
import { describeInMinimalRoot, inMinimalRoot } from '../../../test/harness/shells/minimal-root.ts';
import { decodeText } from './command-output.ts';
import { createOsRegistry } from './index.ts';

const { facts, liveness } = createOsRegistry();
const [shell, ...script] = facts.argv;
const BOOT_ID = '0f5ad1f2-2b8e-4a11-9d59-6b0ff4f0a9c3';

const onThisMachine = (program: string, ...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(program, args, { timeout: 20_000 });
  return { exitCode: status ?? -1, stdout, stderr };
};

const thisBootId = () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
const isInstalled = (program: string) => spawnSync(program, ['-c', 'true']).status === 0;

describe('facts script on this machine', () => {
  test.each([shell, ...['dash', 'bash'].filter(isInstalled)])('returns the facts with %s', program => {
    const found = facts.parse(onThisMachine(program, ...script));
    expect(found).toMatchObject({ bootId: thisBootId(), cpus: os.cpus().length, kernel: os.release() });
    expect(found?.architecture).toBe(os.machine());
    expect(Math.abs((found?.uptimeS ?? 0) - os.uptime())).toBeLessThan(60);
    // The kernel can release some memory while it runs.
    expect(found?.memoryKib).toBeCloseTo(os.totalmem() / 1024, -4);
    expect(found?.spaceKib).toBeGreaterThan(1024);
    expect(found?.hostname === os.hostname() || found?.hostname === '').toBe(true);
  });

  test('runs without root', () => {
    const unprivilegedUser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const found = spawnSync(shell, script, { ...unprivilegedUser, cwd: '/' });
    expect(facts.parse({ exitCode: 0, stdout: found.stdout, stderr: found.stderr })?.bootId).toBe(thisBootId());
    expect(found.stderr.toString()).toBe('');
  });

  test('liveness query returns the current boot ID', () => {
    const [program, ...args] = liveness.argv;
    expect(liveness.parse(onThisMachine(program, ...args))).toEqual({ bootId: thisBootId() });
  });
});

describeInMinimalRoot('facts script with busybox', () => {
  const PROC = {
    '/proc/sys/kernel/random/boot_id': `${BOOT_ID}\n`,
    '/proc/sys/kernel/hostname': 'tiny\n',
    '/proc/sys/kernel/osrelease': '6.1.0\n',
    '/proc/uptime': '77.80 100.00\n',
    '/proc/meminfo': 'MemFree:  1 kB\nMemTotal:        8148800 kB\nMemAvailable: 2 kB\n',
  };
  const DF = `timeout() { shift; "$@"; }
uname() { echo x86_64; }
df() { echo '/dev/sda1 1000 1 999 1% /'; }`;

  test('returns all facts', () => {
    const files = {
      ...PROC,
      '/sys/devices/system/cpu/online': '0-2,5\n',
      '/usr/lib/os-release': "NAME='Tiny'\nID=debian\nPRETTY_NAME='Tiny 1'",
      '/usr/bin/apt-get': '',
      '/proc/self/mounts': '/dev/sda1 / ext4 rw 0 0\n',
    };
    const result = inMinimalRoot({ files }, root => {
      root.run(['sh', '-c', 'exec /bin/busybox chmod 755 /usr/bin/apt-get']);
      return root.run(['sh', '-c', `${DF}\n${facts.argv[2]}`]);
    });
    expect([result.exitCode, decodeText(result.stderr)]).toEqual([0, '']);
    expect(facts.parse(result)).toEqual({
      hostname: 'tiny',
      bootId: BOOT_ID,
      os: 'debian',
      osDriver: 'apt',
      osVersion: 'Tiny 1',
      kernel: '6.1.0',
      architecture: 'x86_64',
      uptimeS: 77,
      cpus: 4,
      memoryKib: 8_148_800,
      spaceKib: 1000,
    });
  });

  test('skips an os-release that is a pipe and reads at most 200 lines', () => {
    const release = (lines: number) => ({
      ...PROC,
      '/usr/lib/os-release': `${'#\n'.repeat(lines)}ID=flatcar\n`,
    });
    const osOf = (lines: number, links: Readonly<Record<string, string>> = {}) =>
      inMinimalRoot({ files: release(lines), links }, root => {
        root.run(['sh', '-c', 'exec /bin/busybox mkfifo /pipe']);
        return facts.parse(root.run(facts.argv))?.os;
      });
    expect([osOf(199), osOf(200)]).toEqual(['flatcar', 'other']);
    expect(osOf(0, { '/etc/os-release': '/pipe' })).toBe('flatcar');
  });

  test('omits missing facts and prints the end marker', () => {
    const result = inMinimalRoot({}, root => root.run(facts.argv));
    expect([result.exitCode, decodeText(result.stderr)]).toEqual([0, '']);
    expect(decodeText(result.stdout)).toMatch(/^hostler-facts-begin\n[\s\S]*hostler-facts-end\n$/);
  });

  test('counts the processors in cpuinfo if the online list is missing', () => {
    const files = { ...PROC, '/proc/cpuinfo': 'processor\t: 0\nmodel\t: x\n\nprocessor\t: 1\nmodel\t: x\n' };
    expect(inMinimalRoot({ files }, root => facts.parse(root.run(facts.argv)))?.cpus).toBe(2);
  });

  test('finds tools outside the PATH of the user', () => {
    const files = { ...PROC, '/etc/os-release': 'ID=rocky\n', '/usr/sbin/dnf': '' };
    inMinimalRoot({ files }, root => {
      root.run(['sh', '-c', 'exec /bin/busybox chmod 755 /usr/sbin/dnf']);
      expect(facts.parse(root.run(facts.argv))?.osDriver).toBe('dnf');
    });
  });

  const IMAGE = 'container-image-reference=ostree-unverified-registry:quay.io/example/os';
  test.each([
    [`${IMAGE}\n`, 'bootc'],
    [`${IMAGE}\n[packages]\nrequested=vim;\n`, 'rpm-ostree'],
    [`${IMAGE}\n\n[overrides]\nremove=nano;\n`, 'rpm-ostree'],
    [`${IMAGE}\n[rpmostree]\nregenerate-initramfs=true\n`, 'rpm-ostree'],
    ['refspec=fedora:fedora/x86_64/iot\n', 'rpm-ostree'],
  ])('detects a deployment with the origin %j', (origin, osDriver) => {
    const files = {
      ...PROC,
      '/etc/os-release': 'ID=centos\n',
      '/run/ostree-booted': '',
      '/proc/cmdline': 'BOOT_IMAGE=(hd0)/vmlinuz rw ostree=/ostree/boot.1/default/abc/0 quiet *\n',
      '/sysroot/ostree/deploy/default/deploy/def.0.origin': `[origin]\n${origin}`,
    };
    const links = { '/sysroot/ostree/boot.1/default/abc/0': '../../../deploy/default/deploy/def.0' };
    const folders = ['/sysroot/ostree/deploy/default/deploy/def.0'];
    const found = inMinimalRoot({ files, links, folders, tools: { bootc: '', 'rpm-ostree': '' } }, root =>
      facts.parse(root.run(facts.argv)),
    );
    expect(found).toMatchObject({ os: 'atomic', osDriver });
  });
});
